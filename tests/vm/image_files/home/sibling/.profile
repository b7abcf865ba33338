# Only sits there.
exec sleep infinity
