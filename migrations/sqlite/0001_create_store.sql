-- Marks a file as ours: "anml" in ASCII.
PRAGMA application_id = 0x616e6d6c;

-- AUTOINCREMENT is slower than a plain rowid, but never reuses an id, not even that of a deleted pet:
-- callers keep ids, and pages continue after one.
-- STRICT: a column holds only its type, as in PostgreSQL.
CREATE TABLE pets (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT    NOT NULL,
  category_id INTEGER NOT NULL,
  status      TEXT    NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
) STRICT;

-- Every index ends in the rowid, so this one finds a page of one status without reading other pets.
CREATE INDEX pets_by_status ON pets (status);

-- Limits are stored only for plans with custom limits.
CREATE TABLE accounts (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT    NOT NULL UNIQUE,
  plan       TEXT    NOT NULL,
  per_minute INTEGER,
  per_day    INTEGER,
  created_at INTEGER NOT NULL, -- this and every *_at: milliseconds since 1970 UTC
  CHECK ((per_minute IS NULL) = (per_day IS NULL))
) STRICT;

-- Only the hash of a secret is stored. 190 random bits need no salt and no slow hash.
CREATE TABLE api_keys (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id  INTEGER NOT NULL REFERENCES accounts (id),
  hash        BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
  label       TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER,
  revoked_at  INTEGER,
  unbanned_at INTEGER NOT NULL DEFAULT 0,
  -- Set by a rotation, so that a key is rotated only once.
  successor_id INTEGER REFERENCES api_keys (id)
) STRICT;

CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- The pet that each Idempotency-Key created. A later request is compared with the fingerprint, not
-- with the pet, which may have changed since.
CREATE TABLE idempotency_keys (
  account_id  INTEGER NOT NULL REFERENCES accounts (id),
  key         TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  pet_id      INTEGER NOT NULL REFERENCES pets (id),
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The limiter's counts, saved twice a second to survive a restart. A subject is an account or an
-- address, hence no reference. Names that end in _s are Unix seconds.
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
