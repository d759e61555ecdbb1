"""Writers that the storage formats share."""
