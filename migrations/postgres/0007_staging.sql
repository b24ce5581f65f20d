-- One row. The first service that uses the store sets its environment, for good: keys of one are refused
-- by the other, and a test clock has no place in production. Names in Redis carry the id.
CREATE TABLE store (
  id          text PRIMARY KEY,
  environment text CHECK (environment IN ('production', 'staging'))
);
INSERT INTO store (id) VALUES (left(gen_random_uuid()::text, 8));

-- Only staging writes the tables that follow.

-- The clock of an account. Times are milliseconds; an offset of 0 means the real time.
CREATE TABLE test_clocks (
  account_id integer PRIMARY KEY REFERENCES accounts (id),
  put_to_ms  bigint  NOT NULL,
  offset_ms  bigint  NOT NULL CHECK (offset_ms >= 0),
  epoch      integer NOT NULL -- grows with each reset
);

-- The failure that every request with a key gets.
CREATE TABLE test_keys (
  key_id     integer PRIMARY KEY REFERENCES api_keys (id),
  simulation text    NOT NULL
);

-- Who added a pet, for a reset. A pet may be removed in other ways, hence no reference.
CREATE TABLE test_pets (
  pet_id     bigint  PRIMARY KEY,
  account_id integer NOT NULL REFERENCES accounts (id)
);
CREATE INDEX test_pets_by_account ON test_pets (account_id);
