-- What a key may do: 'all', or only 'read'. Before pets, as an export reads them: in the other order, each
-- could wait for the other.
ALTER TABLE api_keys ADD COLUMN scope text NOT NULL DEFAULT 'all';

-- When a pet was added, and with which key: for operators only. Pets of version 1.0.0, and those that an
-- operator adds, have no key. No reference: a removed key has still added them.
ALTER TABLE pets ADD COLUMN added_at bigint, ADD COLUMN key_id integer;

-- As it was before 0002.
CREATE OR REPLACE FUNCTION pets_by_id(ids bigint[]) RETURNS SETOF pets
LANGUAGE plpgsql STABLE ROWS 10
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT * FROM pets WHERE id = ANY (ids);
END
$$;

-- Like known_keys, with the scope of each key. Hashes are hexadecimal digits. It replaces one that is there:
-- `pg_restore --clean` of an older dump leaves it.
CREATE OR REPLACE FUNCTION scoped_keys(hashes text[]) RETURNS TABLE (
  hash text, id integer, "expiresAtMs" double precision, "revokedAtMs" double precision,
  "unbannedAtMs" double precision, "accountId" integer, "accountName" text,
  "accountSuspendedAtMs" double precision, plan text, "perMinute" integer, "perDay" integer,
  "clockPutToMs" double precision, "clockOffsetMs" double precision, resets integer,
  scope text)
LANGUAGE plpgsql STABLE ROWS 10
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT encode(k.hash, 'hex'), k.id, k.expires_at::float8, k.revoked_at::float8,
      k.unbanned_at::float8, a.id, a.name, a.suspended_at::float8, a.plan, a.per_minute, a.per_day,
      a.clock_put_to::float8, a.clock_offset::float8, a.resets, k.scope
    FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id
    WHERE k.hash = ANY (ARRAY(SELECT decode(digits, 'hex') FROM unnest(hashes) AS digits));
END
$$;

-- Version 1.0.0 would let a key write that may only read, so it must not find it.
CREATE OR REPLACE FUNCTION known_keys(hashes text[]) RETURNS TABLE (
  hash text, id integer, "expiresAtMs" double precision, "revokedAtMs" double precision,
  "unbannedAtMs" double precision, "accountId" integer, "accountName" text,
  "accountSuspendedAtMs" double precision, plan text, "perMinute" integer, "perDay" integer,
  "clockPutToMs" double precision, "clockOffsetMs" double precision, resets integer)
LANGUAGE sql STABLE ROWS 10 AS $$
  SELECT hash, id, "expiresAtMs", "revokedAtMs", "unbannedAtMs", "accountId", "accountName",
    "accountSuspendedAtMs", plan, "perMinute", "perDay", "clockPutToMs", "clockOffsetMs", resets
  FROM scoped_keys(hashes) WHERE scope = 'all'
$$;

-- Creates the pets of a batch, each once for its idempotency key, if it has one. Returns a row for each, in
-- order: its id and, if an earlier request used the key, the fingerprint of that and the pet, unless it was
-- removed since. The batch is a JSON object, and a pet has a member for each column: neither the argument nor
-- the result changes with the fields of a pet. Version 1.0.0 uses create_pets, which stays.
CREATE OR REPLACE FUNCTION add_pets(batch text) RETURNS TABLE (id bigint, fingerprint text, pet text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  options      json   := batch::json;
  lifetime_ms  bigint := options->>'lifetimeMs';
  now_ms       bigint := extract(epoch FROM now()) * 1000;
  ids          regclass := pg_get_serial_sequence('pets', 'id');
  account_time bigint;
  creation     record;
  added        pets;
BEGIN
  PERFORM lock_creations();
  -- Waits for a migration here: later, a new column would not fit the variable of the row.
  LOCK TABLE pets IN ROW EXCLUSIVE MODE;
  FOR creation IN SELECT * FROM json_to_recordset(options->'creations') AS given (
    new_pet json, "accountId" integer, key text, fingerprint text, "offsetMs" bigint)
  LOOP
    IF creation.key IS NOT NULL THEN
      -- By the clock of this server: those of instances differ. Only a test clock has an offset.
      account_time := now_ms + creation."offsetMs";
      RETURN QUERY
        SELECT k.pet_id, k.fingerprint, (SELECT row_to_json(p)::text FROM pets AS p WHERE p.id = k.pet_id)
        FROM idempotency_keys AS k
        WHERE k.account_id = creation."accountId" AND k.key = creation.key
          AND k.created_at > account_time - lifetime_ms;
      CONTINUE WHEN FOUND;
    END IF;
    added := json_populate_record(NULL::pets, creation.new_pet);
    added.id := nextval(ids);
    added.added_at := now_ms;
    INSERT INTO pets VALUES (added.*);
    id := added.id;
    RETURN NEXT;
    IF creation.key IS NOT NULL THEN
      INSERT INTO idempotency_keys (account_id, key, fingerprint, pet_id, created_at)
        VALUES (creation."accountId", creation.key, creation.fingerprint, added.id, account_time)
        ON CONFLICT (account_id, key) DO UPDATE
          SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, created_at = excluded.created_at;
    END IF;
  END LOOP;
  -- A test time must not expire the keys of other accounts.
  DELETE FROM idempotency_keys WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotency_keys WHERE created_at <= now_ms - lifetime_ms
    ORDER BY created_at LIMIT (options->>'sweptKeys')::integer FOR UPDATE SKIP LOCKED);
END
$$;
