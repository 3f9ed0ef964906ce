// Declares nothing: see tables.c.
