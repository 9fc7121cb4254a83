"""URDF texts: a public seven-joint arm, and one with everything that makes URDF files awkward."""

from __future__ import annotations

# KUKA LBR iiwa 14 R820, numbers of the public description (iiwa_stack, iiwa_description, iiwa14.xacro, BSD licence):
# per link mass, mass centre and moments; per joint origin (xyz, rpy in units of pi / 2) and limit in degrees.
ARM_LINKS = [
    (5.0, "-0.1 0 0.07", (0.05, 0.06, 0.03)),
    (4.0, "0 -0.03 0.12", (0.1, 0.09, 0.02)),
    (4.0, "0.0003 0.059 0.042", (0.05, 0.018, 0.044)),
    (3.0, "0 0.03 0.13", (0.08, 0.075, 0.01)),
    (2.7, "0 0.067 0.034", (0.03, 0.01, 0.029)),
    (1.7, "0.0001 0.021 0.076", (0.02, 0.018, 0.005)),
    (1.8, "0 0.0006 0.0004", (0.005, 0.0036, 0.0047)),
    (0.3, "0 0 0.02", (0.001, 0.001, 0.001)),
]
ARM_JOINTS = [
    ("0 0 0.1575", (0, 0, 0), 170),
    ("0 0 0.2025", (1, 0, 2), 120),
    ("0 0.2045 0", (1, 0, 2), 170),
    ("0 0 0.2155", (1, 0, 0), 120),
    ("0 0.1845 0", (-1, 2, 0), 170),
    ("0 0 0.2155", (1, 0, 0), 120),
    ("0 0.081 0", (-1, 2, 0), 175),
]
QUARTER, DEGREE = 1.5707963267948966, 0.017453292519943295


def _arm() -> str:
    lines = ['<?xml version="1.0"?>', '<robot name="iiwa14">', '<link name="world"/>']
    lines.append('<joint name="stand" type="fixed"><parent link="world"/><child link="link_0"/></joint>')
    for number, (mass, centre, (xx, yy, zz)) in enumerate(ARM_LINKS):
        lines.append(
            f'<link name="link_{number}"><inertial><origin xyz="{centre}" rpy="0 0 0"/><mass value="{mass}"/>'
            f'<inertia ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial>'
            f'<visual><geometry><mesh filename="package://meshes/link_{number}.stl"/></geometry></visual></link>'
        )
    for number, (origin, turns, limit) in enumerate(ARM_JOINTS, start=1):
        rpy = " ".join(repr(turn * QUARTER) for turn in turns)
        lines.append(
            f'<joint name="joint_{number}" type="revolute"><parent link="link_{number - 1}"/>'
            f'<child link="link_{number}"/><origin xyz="{origin}" rpy="{rpy}"/><axis xyz="0 0 1"/>'
            f'<limit lower="{-limit * DEGREE!r}" upper="{limit * DEGREE!r}" effort="300" velocity="10"/>'
            '<dynamics damping="0.5"/></joint>'
        )
    lines.append('<joint name="flange" type="fixed"><parent link="link_7"/><child link="link_ee"/>')
    lines.append('<origin xyz="0 0 0.045" rpy="0 0 0"/></joint>')
    lines.append('<link name="link_ee"/>')
    lines.append('<transmission name="drive_1"><joint name="joint_1"/></transmission><gazebo reference="link_1"/>')
    return "\n".join([*lines, "</robot>", ""])


ARM = _arm()

# Links without mass at the root, between joints and at the ends, names no model may have, a link and a joint of one
# name, turned inertial axes with products, an axis that is no unit vector, planar and floating joints, friction, empty
# limits.
MESSY = """<?xml version="1.0" encoding="utf-8"?>
<robot name="messy/robot 2.0" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <!-- a comment -->
  <link name="base_footprint"/>
  <joint name="base.joint" type="fixed">
    <parent link="base_footprint"/> <child link="base.link"/>
    <origin xyz="0.1 -0.2 0.3" rpy="0.1 0.2 0.3"/>
  </joint>
  <link name="base.link">
    <inertial>
      <origin xyz="0.01 0.02 0.03" rpy="0.3 -0.2 0.5"/>
      <mass value="10"/>
      <inertia ixx="0.4" ixy="0.01" ixz="-0.02" iyy="0.5" iyz="0.03" izz="0.6"/>
    </inertial>
  </link>
  <link name="turret"/>
  <joint name="turret" type="continuous">
    <origin xyz="0 0 0.4" rpy="0 0.1 0"/>
    <parent link="base.link"/> <child link="turret"/>
    <axis xyz="0 0 2"/>
    <dynamics damping="0.25" friction="0.1"/>
  </joint>
  <joint name="turret_weld" type="fixed">
    <origin xyz="0.05 0 0" rpy="0 0 1.1"/>
    <parent link="turret"/> <child link="turret/body"/>
  </joint>
  <link name="turret/body">
    <inertial>
      <origin xyz="0 0.1 0.05" rpy="0 0 0.7"/>
      <mass value="3"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.04"/>
    </inertial>
  </link>
  <joint name="sensor_weld" type="fixed">
    <origin xyz="0.2 0 0.1" rpy="0.5 0 0"/>
    <parent link="turret/body"/> <child link="_sensor"/>
  </joint>
  <link name="_sensor">
    <inertial> <mass value="0.5"/> <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.0015"/> </inertial>
  </link>
  <joint name="frame_weld" type="fixed">
    <origin xyz="0 0 0.1" rpy="0 0.4 0"/> <parent link="_sensor"/> <child link="sensor_frame"/>
  </joint>
  <link name="sensor_frame">
    <inertial> <mass value="0"/> <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/> </inertial>
  </link>
  <joint name="1st finger" type="revolute">
    <origin xyz="0.05 0 0" rpy="1 0 0"/>
    <parent link="sensor_frame"/> <child link="finger"/>
    <limit lower="0" upper="0" effort="0" velocity="0"/>
    <dynamics friction="0.2"/>
  </joint>
  <link name="finger">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0.2 0.5 -0.1"/> <mass value="0.2"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.0001"/>
    </inertial>
  </link>
  <joint name="slider" type="prismatic">
    <origin xyz="-0.3 0 0" rpy="0 0 -0.4"/>
    <parent link="base.link"/> <child link="slider"/>
    <axis xyz="0.6 0 0.8"/>
    <limit lower="-0.5" upper="0.75" effort="1" velocity="1"/>
    <dynamics damping="4"/>
  </joint>
  <link name="slider">
    <inertial>
      <origin xyz="0 0.05 0"/> <mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.02"/>
    </inertial>
  </link>
  <joint name="table" type="planar">
    <origin xyz="0 0.5 0" rpy="0.2 0 0.6"/>
    <parent link="slider"/> <child link="puck"/>
    <axis xyz="0 0 1"/>
  </joint>
  <link name="puck">
    <inertial>
      <origin xyz="0.02 0.01 0"/> <mass value="0.7"/>
      <inertia ixx="0.003" ixy="0" ixz="0" iyy="0.003" iyz="0" izz="0.005"/>
    </inertial>
  </link>
  <joint name="flight" type="floating">
    <origin xyz="0 0 2" rpy="0.3 0.4 0.5"/>
    <parent link="base.link"/> <child link="drone"/>
  </joint>
  <link name="drone">
    <inertial>
      <origin xyz="0 0 0.02" rpy="0.4 -0.3 0.2"/> <mass value="1.5"/>
      <inertia ixx="0.01" ixy="0.001" ixz="-0.002" iyy="0.012" iyz="0.003" izz="0.02"/>
    </inertial>
  </link>
  <joint name="idle" type="revolute">
    <parent link="drone"/> <child link="tool"/> <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <link name="tool"/>
</robot>
"""
