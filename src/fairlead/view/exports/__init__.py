"""The moving scene in files of other programs: glTF, and VTK's polygons over time for ParaView."""
