-- One row. The first service that uses the store sets its environment, for good: keys of one are refused
-- by the other, and a test clock has no place in production. Names in Redis carry the id.
CREATE TABLE store (
  id          TEXT NOT NULL PRIMARY KEY,
  environment TEXT CHECK (environment IN ('production', 'staging'))
) STRICT;
INSERT INTO store (id) VALUES (lower(hex(randomblob(4))));

-- Only staging writes the tables that follow.

-- The clock of an account. Times are milliseconds; an offset of 0 means the real time.
CREATE TABLE test_clocks (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  put_to_ms  INTEGER NOT NULL,
  offset_ms  INTEGER NOT NULL CHECK (offset_ms >= 0),
  epoch      INTEGER NOT NULL -- grows with each reset
) STRICT;

-- The failure that every request with a key gets.
CREATE TABLE test_keys (
  key_id     INTEGER PRIMARY KEY REFERENCES api_keys (id),
  simulation TEXT    NOT NULL
) STRICT;

-- Who added a pet, for a reset. A pet may be removed in other ways, hence no reference.
CREATE TABLE test_pets (
  pet_id     INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id)
) STRICT;
CREATE INDEX test_pets_by_account ON test_pets (account_id);
