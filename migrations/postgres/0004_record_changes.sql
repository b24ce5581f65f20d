-- What an instance has cached stays valid until a key, an account or a pet is changed or removed. Additions change
-- nothing that an instance may have cached. Each transaction adds a row, instead of counting one up, so that changes do
-- not wait for each other. A restored dump may have left all of this, so it replaces what is there.
CREATE TABLE IF NOT EXISTS recent_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS recent_changes_by_time ON recent_changes (made_at);

-- It runs with the rights of its owner, because the users of some instances may have rights on older tables only. The
-- setting ends with its transaction. Without it, the removal of many pets would add a row for each of them.
CREATE OR REPLACE FUNCTION record_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF current_setting('animal_store.recorded', true) = 'yes' THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('animal_store.recorded', 'yes', true);
  DELETE FROM recent_changes WHERE id IN (
    SELECT id FROM recent_changes WHERE made_at < now() - interval '1 minute' FOR UPDATE SKIP LOCKED);
  INSERT INTO recent_changes DEFAULT VALUES;
  RETURN NULL;
END
$$;

-- A text that is different after each change. It is also different on another server, which may lack what was read on
-- the previous one.
CREATE OR REPLACE FUNCTION revision() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT concat_ws(' ', pg_postmaster_start_time(), count(*), sum(id)) FROM recent_changes
$$;

DROP TRIGGER IF EXISTS accounts_changed ON accounts;
CREATE TRIGGER accounts_changed AFTER UPDATE OR DELETE OR TRUNCATE ON accounts EXECUTE FUNCTION record_change();
DROP TRIGGER IF EXISTS api_keys_changed ON api_keys;
CREATE TRIGGER api_keys_changed AFTER UPDATE OR DELETE OR TRUNCATE ON api_keys EXECUTE FUNCTION record_change();
DROP TRIGGER IF EXISTS pets_changed ON pets;
CREATE TRIGGER pets_changed AFTER UPDATE OR DELETE OR TRUNCATE ON pets EXECUTE FUNCTION record_change();

-- The last request that was refused with a key, and its error code. last_at has been the last accepted request since
-- 1.2.0; it is 0 if there is none, because 1.1.0 reads it.
ALTER TABLE key_uses ADD COLUMN IF NOT EXISTS refused_at bigint;
ALTER TABLE key_uses ADD COLUMN IF NOT EXISTS refusal text;

-- A row may also have "acceptedAtMs", "refusedAtMs" and "refusal". Rows of 1.1.0 do not, and count as accepted. A row
-- without an operation has no requests that count: it is only the use of a key that is no longer valid.
CREATE OR REPLACE FUNCTION add_usage(periods text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  added usage_periods[] := ARRAY(
    SELECT ROW(period.*)::usage_periods FROM json_to_recordset(periods::json) AS period (
      "accountId" integer, "startsAtMs" bigint, "keyId" integer, operation text, served bigint,
      "refusedByMinute" bigint, "refusedByDay" bigint, "refusedByBan" bigint, "clientErrors" bigint,
      "serverErrors" bigint, "busiestMinute" bigint, "lastAtMs" bigint));
  -- A removal of one of these accounts waits for the commit. Usage of one that was removed is dropped.
  accounts_kept integer[] := ARRAY(
    SELECT id FROM accounts WHERE id IN (SELECT account_id FROM unnest(added)) ORDER BY id FOR KEY SHARE);
BEGIN
  -- A batch is not worth a wait for the disk or a standby. After a crash of the server, the last may be gone.
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO usage_periods AS u
    SELECT account_id, starts_at, key_id, operation, sum(served), sum(refused_by_minute),
      sum(refused_by_day), sum(refused_by_ban), sum(client_errors), sum(server_errors),
      max(busiest_minute), max(last_at)
    FROM unnest(added)
    WHERE account_id = ANY (accounts_kept) AND operation <> ''
    -- Requests that end just after an hour make a second row of it.
    GROUP BY account_id, starts_at, key_id, operation
    ORDER BY account_id, starts_at, key_id, operation
    ON CONFLICT (account_id, starts_at, key_id, operation) DO UPDATE SET
      served = u.served + excluded.served,
      refused_by_minute = u.refused_by_minute + excluded.refused_by_minute,
      refused_by_day = u.refused_by_day + excluded.refused_by_day,
      refused_by_ban = u.refused_by_ban + excluded.refused_by_ban,
      client_errors = u.client_errors + excluded.client_errors,
      server_errors = u.server_errors + excluded.server_errors,
      busiest_minute = greatest(u.busiest_minute, excluded.busiest_minute),
      last_at = greatest(u.last_at, excluded.last_at);
  INSERT INTO key_uses AS k (account_id, key_id, last_at, refused_at, refusal)
    SELECT "accountId", "keyId", max(coalesce("acceptedAtMs", "lastAtMs")), max("refusedAtMs"),
      (array_agg(refusal ORDER BY "refusedAtMs" DESC NULLS LAST))[1]
    FROM json_to_recordset(periods::json) AS use ("accountId" integer, "keyId" integer,
      "lastAtMs" bigint, "acceptedAtMs" bigint, "refusedAtMs" bigint, refusal text)
    WHERE "accountId" = ANY (accounts_kept)
    GROUP BY "accountId", "keyId" ORDER BY "accountId", "keyId"
    ON CONFLICT (account_id, key_id) DO UPDATE SET
      last_at = greatest(k.last_at, excluded.last_at),
      refusal = CASE WHEN excluded.refused_at >= coalesce(k.refused_at, 0) THEN excluded.refusal ELSE k.refusal END,
      refused_at = greatest(k.refused_at, excluded.refused_at);
END
$$;

-- The operators who have a token of their own for the console. Only the hash of a token is stored, as of a key. The row
-- of a revoked operator is deleted. The audit shows who had a token.
CREATE TABLE IF NOT EXISTS operators (
  id         integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name       text    NOT NULL UNIQUE,
  role       text    NOT NULL, -- 'editor', or 'viewer' for one who may change nothing
  hash       bytea   NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at bigint  NOT NULL
);
