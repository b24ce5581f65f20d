-- The limiter's counts are saved up to 20 times a second and may lose the last few seconds in a power
-- cut. In a separate file they do not invalidate what is cached from the data file.
-- "anmu" in ASCII.
PRAGMA application_id = 0x616e6d75;

-- A subject is an account or an address, hence no reference. Windows start at Unix seconds.
CREATE TABLE usage (
  subject      TEXT    PRIMARY KEY,
  minute_start INTEGER NOT NULL,
  minute_used  INTEGER NOT NULL,
  day_start    INTEGER NOT NULL,
  day_used     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A penalty is a JSON object, with the fields that it has in the limiter.
CREATE TABLE penalties (
  key_id  INTEGER PRIMARY KEY,
  penalty TEXT    NOT NULL
) STRICT;
