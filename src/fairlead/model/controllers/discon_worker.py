"""A process with one Bladed-style library in it, called as its parent asks: run by path, importing nothing of ours.

Arguments: library, procedure, input file, name of the run, numbers in the swap array, length of messages. A call is
a count and so many pairs of record and value; the answer is the failure code, the message and the whole array.
"""

import ctypes
import os
import struct
import sys


def main() -> None:
    """Answer until the parent closes its end."""
    library, procedure, input_file, name, size, longest = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the library prints is no answer
    asked = sys.stdin.buffer
    call = getattr(ctypes.CDLL(library), procedure)
    call.restype = None
    swap, fail = (ctypes.c_float * int(size))(), ctypes.c_int(0)
    message = ctypes.create_string_buffer(int(longest) + 1)
    # Room behind the texts: libraries in Fortran read as many characters as the lengths in the array say.
    infile, outname = (
        ctypes.create_string_buffer(text.encode(), len(text.encode()) + 1) for text in (input_file, name)
    )
    began = False
    while True:
        head = asked.read(4)
        if len(head) < 4:
            if began:
                swap[0] = -1.0
                call(swap, ctypes.byref(fail), infile, outname, message)
            return
        (count,) = struct.unpack("<i", head)
        for record, value in struct.iter_unpack("<if", asked.read(8 * count)):
            swap[record - 1] = value
        fail.value, message[0] = 0, b"\0"
        began = True
        call(swap, ctypes.byref(fail), infile, outname, message)
        text = message.value[: int(longest)]
        answers.write(struct.pack("<ii", fail.value, len(text)) + text + bytes(swap))
        answers.flush()


if __name__ == "__main__":
    main()
