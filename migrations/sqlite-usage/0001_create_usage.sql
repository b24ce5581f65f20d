-- The limiter's counts are saved up to 20 times a second and may lose the last few seconds in a power
-- cut. In a separate file they do not invalidate what is cached from the data file.
-- "anmu" in ASCII.
PRAGMA application_id = 0x616e6d75;

-- A subject is an account or an address, hence no reference. Names that end in _s are Unix seconds.
CREATE TABLE usage (
  subject        TEXT    PRIMARY KEY,
  minute_start_s INTEGER NOT NULL,
  minute_used    INTEGER NOT NULL,
  day_start_s    INTEGER NOT NULL,
  day_used       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE penalties (
  key_id             INTEGER PRIMARY KEY,
  refused_until_s    INTEGER NOT NULL,
  first_refused_at_s INTEGER NOT NULL,
  refusals           INTEGER NOT NULL,
  strikes            TEXT    NOT NULL, -- a JSON array of Unix seconds
  banned_until_s     INTEGER NOT NULL,
  bans               INTEGER NOT NULL,
  unbanned_at        INTEGER NOT NULL  -- as in api_keys when the penalty was saved
) STRICT;
