-- The requests of each key for each operation, by the hour. Every batch of the service adds to the
-- counts of earlier ones. No references: a batch must not fail because of one key.
-- In the data file, so that backups have it. A batch every few seconds expires cached pages, but not
-- cached pets and keys: no trigger counts these changes in "revision".
CREATE TABLE usage_hours (
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
  slots             TEXT    NOT NULL, -- a JSON array: the requests in each minute of the account's limit
  first_at          INTEGER NOT NULL,
  last_at           INTEGER NOT NULL,
  -- Reports read one account after the other, in order of time.
  PRIMARY KEY (account_id, starts_at, key_id, operation)
) STRICT, WITHOUT ROWID;

-- Finds the hours that are too old to keep.
CREATE INDEX usage_hours_by_age ON usage_hours (starts_at);

-- Old hours, added up. Of their minutes, only the count of the busiest one is left.
CREATE TABLE usage_days (
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
  busiest_minute    INTEGER NOT NULL,
  first_at          INTEGER NOT NULL,
  last_at           INTEGER NOT NULL,
  PRIMARY KEY (account_id, starts_at, key_id, operation)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_days_by_age ON usage_days (starts_at);

-- The last use of every key, which would otherwise take a look at its whole history. Not in api_keys,
-- where a change expires the cached keys.
CREATE TABLE key_uses (
  account_id INTEGER NOT NULL,
  key_id     INTEGER NOT NULL,
  last_at    INTEGER NOT NULL,
  PRIMARY KEY (account_id, key_id)
) STRICT, WITHOUT ROWID;
