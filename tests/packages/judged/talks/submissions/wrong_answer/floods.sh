# The first line is wrong, so the verdict is not OLE.
yes
