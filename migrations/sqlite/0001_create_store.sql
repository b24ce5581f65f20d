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
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  name              TEXT    NOT NULL UNIQUE,
  plan              TEXT    NOT NULL,
  per_minute        INTEGER,
  per_day           INTEGER,
  created_at        INTEGER NOT NULL, -- this and every *_at: milliseconds since 1970 UTC
  suspended_at      INTEGER,
  suspension_reason TEXT    NOT NULL DEFAULT '', -- for operators; empty unless suspended
  -- The test clock of an account on staging, in milliseconds, and how often it was reset. All are 0 in
  -- production, where nothing sets them.
  clock_put_to      INTEGER NOT NULL DEFAULT 0,
  clock_offset      INTEGER NOT NULL DEFAULT 0 CHECK (clock_offset >= 0),
  resets            INTEGER NOT NULL DEFAULT 0,
  CHECK ((per_minute IS NULL) = (per_day IS NULL))
) STRICT;

-- Only the hash of a secret is stored. 190 random bits need no salt and no slow hash. The last four
-- characters tell keys apart. They are part of the checksum and reveal at most 24 of those bits.
CREATE TABLE api_keys (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id  INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash        BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
  last_four   TEXT    NOT NULL,
  label       TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER,
  revoked_at  INTEGER,
  unbanned_at INTEGER NOT NULL DEFAULT 0,
  -- Set by a rotation, so that a key is rotated only once. An import may add the successor later.
  successor_id INTEGER REFERENCES api_keys (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- Without it, a removal looks at every key of the store for each key of the account.
CREATE INDEX api_keys_by_successor ON api_keys (successor_id) WHERE successor_id IS NOT NULL;

-- The pet that each Idempotency-Key created. A later request is compared with the fingerprint, not
-- with the pet, which may have changed since. No reference to the pet: an operator can remove it, and a
-- late retry must not create it again. None to the account: a request of an account that was just removed
-- must not fail the whole batch.
CREATE TABLE idempotency_keys (
  account_id  INTEGER NOT NULL,
  key         TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  pet_id      INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The service caches keys, accounts and pets. This number tells it when one of them has changed. New
-- rows do not count: they change only a list's last page, which expires with SQLite's data_version.
CREATE TABLE revision (
  number INTEGER NOT NULL
) STRICT;

INSERT INTO revision (number) VALUES (0);

CREATE TRIGGER accounts_updated AFTER UPDATE ON accounts BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER accounts_deleted AFTER DELETE ON accounts BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER api_keys_updated AFTER UPDATE ON api_keys BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER pets_updated AFTER UPDATE ON pets BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER pets_deleted AFTER DELETE ON pets BEGIN UPDATE revision SET number = number + 1; END;

-- Every change by a command or the console, in the same transaction as the change. Rows are only added.
-- A subject is a kind and an id, such as "pet 7", hence no reference.
-- "IS NULL OR": the integrity check of SQLite 3.40 takes NULL for a failed check.
CREATE TABLE audit (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL,
  action     TEXT    NOT NULL,
  subject    TEXT    NOT NULL,
  old_value  TEXT    CHECK (old_value IS NULL OR json_valid(old_value)), -- NULL if there was none
  new_value  TEXT    CHECK (new_value IS NULL OR json_valid(new_value)), -- NULL if there is none any more
  command    TEXT    NOT NULL,
  operator   TEXT    NOT NULL, -- the system user that ran the command, or the fingerprint of a token
  account_id INTEGER -- of a changed account or key
) STRICT;

CREATE INDEX audit_by_account ON audit (account_id) WHERE account_id IS NOT NULL;

-- To find, by its name, the changes of an account that was removed.
CREATE INDEX audit_of_removals ON audit (account_id) WHERE action = 'account.remove';

-- The third trigger is for INSERT OR REPLACE, which deletes a row without the trigger for deletions.
CREATE TRIGGER audit_updated BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_deleted BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- The requests of each key for each operation in an hour or, after 90 days, in a day (UTC). No references:
-- a batch must not fail because of an account that was just removed. In the data file, so that backups have it.
-- A batch expires cached last pages, but nothing else that is cached: no trigger counts these changes in "revision".
CREATE TABLE usage_periods (
  account_id        INTEGER NOT NULL,
  starts_at         INTEGER NOT NULL,
  key_id            INTEGER NOT NULL,
  operation         TEXT    NOT NULL,
  served            INTEGER NOT NULL,
  refused_by_minute INTEGER NOT NULL,
  refused_by_day    INTEGER NOT NULL,
  refused_by_ban    INTEGER NOT NULL,
  client_errors     INTEGER NOT NULL,
  server_errors     INTEGER NOT NULL,
  busiest_minute    INTEGER NOT NULL, -- the most requests of the account in one minute, with all keys
  last_at           INTEGER NOT NULL,
  -- Reports read one account after the other, in order of time.
  PRIMARY KEY (account_id, starts_at, key_id, operation)
) STRICT, WITHOUT ROWID;

-- Finds periods that are too old to keep.
CREATE INDEX usage_periods_by_age ON usage_periods (starts_at);

-- Finds hours that become days. The first hour of a day becomes its row.
CREATE INDEX usage_periods_by_hour ON usage_periods (starts_at) WHERE starts_at % 86400000 <> 0;

-- The last use of every key, which would otherwise take a look at its whole history. Not in api_keys,
-- where a change expires the cached keys.
CREATE TABLE key_uses (
  account_id INTEGER NOT NULL,
  key_id     INTEGER NOT NULL,
  last_at    INTEGER NOT NULL,
  PRIMARY KEY (account_id, key_id)
) STRICT, WITHOUT ROWID;

-- One row. The first service that uses the store sets its environment, for good: keys of one are refused
-- by the other, and a test clock has no place in production. Names in Redis carry the id.
CREATE TABLE store (
  id          TEXT NOT NULL PRIMARY KEY,
  environment TEXT CHECK (environment IN ('production', 'staging'))
) STRICT;
INSERT INTO store (id) VALUES (lower(hex(randomblob(4))));
