-- The requests of each key for each operation, by the hour. Every batch of an instance adds to the
-- counts of earlier ones. No references: a batch must not fail because of one key.
CREATE TABLE usage_hours (
  account_id        integer     NOT NULL,
  starts_at         timestamptz NOT NULL,
  key_id            integer     NOT NULL,
  operation         text        NOT NULL,
  served            integer     NOT NULL,
  refused_by_minute integer     NOT NULL,
  refused_by_day    integer     NOT NULL,
  refused_by_ban    integer     NOT NULL,
  client_errors     integer     NOT NULL,
  server_errors     integer     NOT NULL,
  slots             integer[]   NOT NULL, -- the requests in each minute of the account's limit
  first_at          timestamptz NOT NULL,
  last_at           timestamptz NOT NULL,
  -- Reports read one account after the other, in order of time.
  PRIMARY KEY (account_id, starts_at, key_id, operation)
);

-- Finds the hours that are too old to keep.
CREATE INDEX usage_hours_by_age ON usage_hours (starts_at);

-- Old hours, added up. Of their minutes, only the count of the busiest one is left. Several instances
-- can serve more requests of one key in a day than an integer counts.
CREATE TABLE usage_days (
  account_id        integer     NOT NULL,
  starts_at         timestamptz NOT NULL,
  key_id            integer     NOT NULL,
  operation         text        NOT NULL,
  served            bigint      NOT NULL,
  refused_by_minute bigint      NOT NULL,
  refused_by_day    bigint      NOT NULL,
  refused_by_ban    bigint      NOT NULL,
  client_errors     bigint      NOT NULL,
  server_errors     bigint      NOT NULL,
  busiest_minute    bigint      NOT NULL,
  first_at          timestamptz NOT NULL,
  last_at           timestamptz NOT NULL,
  PRIMARY KEY (account_id, starts_at, key_id, operation)
);

CREATE INDEX usage_days_by_age ON usage_days (starts_at);

-- The last use of every key, which would otherwise take a look at its whole history.
CREATE TABLE key_uses (
  account_id integer     NOT NULL,
  key_id     integer     NOT NULL,
  last_at    timestamptz NOT NULL,
  PRIMARY KEY (account_id, key_id)
);

-- The last batch of each instance. An instance sends a batch again if the response was lost.
CREATE TABLE usage_writers (
  writer     text        PRIMARY KEY,
  batch      integer     NOT NULL,
  written_at timestamptz NOT NULL
);

-- Adds a batch, unless it was added before. The hours are a JSON array of rows. They are locked in the
-- order of the primary key, so that instances wait for each other without a deadlock.
CREATE FUNCTION add_usage(new_writer text, new_batch integer, hours text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  added usage_hours[];
BEGIN
  -- A batch is not worth a wait for the disk or a standby. After a crash of the server, the last may be gone.
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO usage_writers AS w (writer, batch, written_at) VALUES (new_writer, new_batch, now())
    ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at
    WHERE w.batch < excluded.batch;
  IF NOT FOUND THEN RETURN; END IF;
  -- Parsed only once, which takes a third of the time.
  added := ARRAY(SELECT hour FROM json_populate_recordset(NULL::usage_hours, hours::json) AS hour);
  INSERT INTO usage_hours AS u
    SELECT * FROM unnest(added) ORDER BY account_id, starts_at, key_id, operation
    ON CONFLICT (account_id, starts_at, key_id, operation) DO UPDATE SET
      served = u.served + excluded.served,
      refused_by_minute = u.refused_by_minute + excluded.refused_by_minute,
      refused_by_day = u.refused_by_day + excluded.refused_by_day,
      refused_by_ban = u.refused_by_ban + excluded.refused_by_ban,
      client_errors = u.client_errors + excluded.client_errors,
      server_errors = u.server_errors + excluded.server_errors,
      slots = ARRAY(
        SELECT old_count + new_count
        FROM unnest(u.slots, excluded.slots) WITH ORDINALITY AS s (old_count, new_count, place)
        ORDER BY place),
      first_at = least(u.first_at, excluded.first_at),
      last_at = greatest(u.last_at, excluded.last_at);
  INSERT INTO key_uses AS k (account_id, key_id, last_at)
    SELECT account_id, key_id, max(last_at) FROM unnest(added)
    GROUP BY account_id, key_id ORDER BY account_id, key_id
    ON CONFLICT (account_id, key_id) DO UPDATE SET last_at = greatest(k.last_at, excluded.last_at);
END
$$;
