-- One row. The first service that uses the store sets its environment, for good: keys of one are refused
-- by the other, and a test clock has no place in production. Names in Redis carry the id.
CREATE TABLE store (
  id          text PRIMARY KEY,
  environment text CHECK (environment IN ('production', 'staging'))
);
INSERT INTO store (id) VALUES (left(gen_random_uuid()::text, 8));

-- The test clock of an account, in milliseconds, and how often the account was reset. Only staging
-- writes them.
ALTER TABLE accounts ADD COLUMN clock_put_to bigint NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN clock_offset bigint NOT NULL DEFAULT 0 CHECK (clock_offset >= 0);
ALTER TABLE accounts ADD COLUMN resets integer NOT NULL DEFAULT 0;
