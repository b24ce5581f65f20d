-- The service caches keys, accounts and pets. This number tells it when one of them has changed. New
-- rows do not count: they change nothing that could be cached.
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
