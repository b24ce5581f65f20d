-- The limiter's counts are saved up to 20 times a second and may lose the last few seconds in a power
-- cut. In a separate file they do not invalidate what is cached from the data file.
-- "anmu" in ASCII.
PRAGMA application_id = 0x616e6d75;

-- A subject is an account or an address, hence no reference. Counts and penalties are JSON objects, with
-- the fields that they have in the limiter.
CREATE TABLE usage (
  subject TEXT PRIMARY KEY,
  counts  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE penalties (
  key_id  INTEGER PRIMARY KEY,
  penalty TEXT    NOT NULL
) STRICT;
