! Partners of Fairlead in Fortran, over fairlead_partner.h: compile fairlead_partner.c with it and link both.
!
!   use fairlead_partner
!   stop_code = serve("water", "small", "start", 0d0, c_funloc(load), c_null_ptr, 0_c_size_t)
!
! `load` is a function bind(c) with the interface `load_function`; state and size are what a checkpoint holds.
module fairlead_partner
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: serve, load_function, FL_MIDDLE, FL_TRIAL, FL_FIRST
  integer(c_int), parameter :: FL_MIDDLE = 1, FL_TRIAL = 2, FL_FIRST = 4

  abstract interface
    integer(c_int) function load_function(t, motion, n, step, flags, out, mine) bind(c)
      import :: c_int, c_double, c_ptr
      real(c_double), value :: t, step
      integer(c_int), value :: n, flags
      real(c_double), intent(in) :: motion(*)
      real(c_double), intent(out) :: out(6)
      type(c_ptr), value :: mine
    end function
  end interface

  interface
    integer(c_int) function fl_serve_as(name, step, answers, dt, load, state, size) bind(c, name="fl_serve_as")
      import :: c_int, c_char, c_double, c_funptr, c_ptr, c_size_t
      character(kind=c_char), intent(in) :: name(*), step(*), answers(*)
      real(c_double), value :: dt
      type(c_funptr), value :: load
      type(c_ptr), value :: state
      integer(c_size_t), value :: size
    end function
  end interface

contains

  integer function serve(name, step, answers, dt, load, state, size)
    character(*), intent(in) :: name, step, answers
    real(c_double), intent(in) :: dt
    type(c_funptr), intent(in) :: load
    type(c_ptr), intent(in) :: state
    integer(c_size_t), intent(in) :: size
    serve = fl_serve_as(name // c_null_char, step // c_null_char, answers // c_null_char, dt, load, state, size)
  end function

end module
