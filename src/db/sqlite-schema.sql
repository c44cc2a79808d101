-- Tables and first rows of a new SQLite database: the result of all migrations, written by `npm run schema`.

INSERT INTO migrations (name) VALUES
  ('0001-calendar'),
  ('0002-ticketing'),
  ('0003-translations'),
  ('0004-events-found'),
  ('0005-translations-listed'),
  ('0006-limits'),
  ('0007-idempotency'),
  ('0008-counts-without-password'),
  ('0009-emptied-carts'),
  ('0010-attendance-status'),
  ('0011-provisional-texts'),
  ('0012-data-versions'),
  ('0013-lists-by-time'),
  ('0014-event-status'),
  ('0015-revisions'),
  ('0016-buyers'),
  ('0017-site-settings'),
  ('0018-seats-version'),
  ('0019-attendee-lists'),
  ('0020-sessions'),
  ('0021-audit'),
  ('0022-orders-desk'),
  ('0023-library'),
  ('0024-reports'),
  ('0025-site-choices'),
  ('0026-category-colors'),
  ('0027-attendee-search'),
  ('0028-confirmed-sessions'),
  ('0029-free-places'),
  ('0030-postponed-sales'),
  ('0031-copies'),
  ('0032-ticket-pages'),
  ('0033-attendance-mode'),
  ('0034-jobs'),
  ('0035-series'),
  ('0036-series-pass'),
  ('0037-payments'),
  ('0038-prices'),
  ('0039-collapse-series'),
  ('0040-refund-looks'),
  ('0041-invoices'),
  ('0042-reconciliation'),
  ('0043-giving'),
  ('0044-hidden-attendees'),
  ('0045-mails'),
  ('0046-announcements'),
  ('0047-mail-texts'),
  ('0048-bounces'),
  ('0049-account-mails'),
  ('0050-my-tickets'),
  ('0051-imports'),
  ('0052-door'),
  ('0053-subscriptions'),
  ('0054-import-changes'),
  ('0055-import-runs'),
  ('0056-former-events');

CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT NOT NULL, username_key TEXT NOT NULL UNIQUE, email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL, role TEXT NOT NULL, created_utc TEXT NOT NULL, credentials_version INTEGER NOT NULL DEFAULT 0, last_seen_utc TEXT, totp_secret TEXT NOT NULL DEFAULT '', totp_pending TEXT NOT NULL DEFAULT '', totp_step BIGINT NOT NULL DEFAULT 0, may_refund INTEGER NOT NULL DEFAULT 0, language TEXT NOT NULL DEFAULT '', alerts TEXT NOT NULL DEFAULT '[]');

CREATE TABLE app_passwords (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, created_utc TEXT NOT NULL, last_used_utc TEXT);

CREATE INDEX app_passwords_user ON app_passwords (user_id);

CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL, created_utc TEXT NOT NULL, expires_utc TEXT, last_used_utc TEXT);

CREATE INDEX tokens_user ON tokens (user_id);

CREATE TABLE records (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL);

CREATE TABLE media (
    id BIGINT PRIMARY KEY REFERENCES records (id), author_id BIGINT NOT NULL, file TEXT NOT NULL, extension TEXT NOT NULL,
    mime_type TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, filesize INTEGER NOT NULL,
    sizes TEXT NOT NULL, source_url TEXT NOT NULL, date_utc TEXT NOT NULL, alt TEXT NOT NULL DEFAULT '', focus_x DOUBLE PRECISION NOT NULL DEFAULT 50, focus_y DOUBLE PRECISION NOT NULL DEFAULT 50, revision INTEGER NOT NULL DEFAULT 1, title TEXT NOT NULL DEFAULT '', title_key TEXT NOT NULL DEFAULT '', search_text TEXT NOT NULL DEFAULT '');

CREATE INDEX media_source ON media (source_url) WHERE source_url <> '';

CREATE TRIGGER media_calendar_insert
      AFTER INSERT ON media BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER media_calendar_update
      AFTER UPDATE ON media BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER media_calendar_delete
      AFTER DELETE ON media BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER media_revision AFTER UPDATE ON media WHEN new.revision = old.revision BEGIN
    UPDATE media SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE INDEX media_file ON media (file);

CREATE TABLE events (
    id BIGINT PRIMARY KEY REFERENCES records (id), author_id BIGINT NOT NULL, status TEXT NOT NULL,
    date TEXT NOT NULL, date_utc TEXT NOT NULL, modified TEXT NOT NULL, modified_utc TEXT NOT NULL,
    title TEXT NOT NULL, title_key TEXT NOT NULL, description TEXT NOT NULL,
    slug TEXT NOT NULL, image_id BIGINT REFERENCES media (id), trashed_from TEXT NOT NULL,
    search_text TEXT NOT NULL,
    excerpt TEXT NOT NULL, password TEXT NOT NULL, parent_id BIGINT REFERENCES events (id), all_day INTEGER NOT NULL,
    start_date TEXT NOT NULL, end_date TEXT NOT NULL, utc_start_date TEXT NOT NULL, utc_end_date TEXT NOT NULL, timezone TEXT NOT NULL, timezone_abbr TEXT NOT NULL,
    cost TEXT NOT NULL, currency_symbol TEXT NOT NULL, currency_position TEXT NOT NULL, currency_code TEXT NOT NULL,
    website TEXT NOT NULL, show_map INTEGER NOT NULL, show_map_link INTEGER NOT NULL,
    hide_from_listings INTEGER NOT NULL, sticky INTEGER NOT NULL, featured INTEGER NOT NULL, event_status TEXT NOT NULL DEFAULT 'scheduled', event_status_reason TEXT NOT NULL DEFAULT '', utc_previous_start_date TEXT NOT NULL DEFAULT '', ical_sequence INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL DEFAULT 1, sale_stays_open INTEGER NOT NULL DEFAULT 0, copied_from BIGINT, attendance_mode TEXT NOT NULL DEFAULT 'on_site', online_access TEXT NOT NULL DEFAULT 'holders', online_url TEXT NOT NULL DEFAULT '', door_time TEXT NOT NULL DEFAULT '', accessibility TEXT NOT NULL DEFAULT '', series_id BIGINT);

CREATE INDEX events_by_start ON events
    (utc_start_date, id, status, hide_from_listings, start_date, end_date, utc_end_date, author_id);

CREATE INDEX events_by_end ON events (status, hide_from_listings, utc_end_date, end_date);

CREATE INDEX events_slug ON events (slug);

CREATE UNIQUE INDEX events_address ON events (slug) WHERE slug <> '' AND status NOT IN ('draft', 'pending', 'auto-draft');

CREATE INDEX events_author ON events (author_id, utc_start_date, id);

CREATE INDEX events_parent ON events (parent_id) WHERE parent_id IS NOT NULL;

CREATE INDEX events_image ON events (image_id) WHERE image_id IS NOT NULL;

CREATE INDEX events_scheduled ON events (date_utc) WHERE status = 'future';

CREATE INDEX events_featured ON events
    (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date) WHERE featured = 1;

CREATE TRIGGER event_search_delete AFTER DELETE ON events BEGIN DELETE FROM event_search WHERE rowid = old.id; END;

CREATE INDEX events_found ON events
      (id, status, hide_from_listings, utc_start_date, start_date, utc_end_date, end_date);

CREATE INDEX events_password ON events (id, password, author_id) WHERE password <> '';

CREATE TRIGGER events_calendar_insert
      AFTER INSERT ON events BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER events_calendar_update
      AFTER UPDATE ON events BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER events_calendar_delete
      AFTER DELETE ON events BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER event_search_insert AFTER INSERT ON events BEGIN
    INSERT INTO event_search (rowid, search_text) VALUES (new.id, substr(new.utc_start_date, 1, 4) || replace(new.search_text, ' ', ' ' || substr(new.utc_start_date, 1, 4)));
    INSERT OR IGNORE INTO words (word)
  SELECT value FROM json_each('[' || replace(json_quote(new.search_text), ' ', '","') || ']'); END;

CREATE TRIGGER event_search_update AFTER UPDATE OF search_text, utc_start_date ON events
    WHEN old.search_text <> new.search_text OR substr(old.utc_start_date, 1, 4) <> substr(new.utc_start_date, 1, 4) BEGIN
    DELETE FROM event_search WHERE rowid = new.id;
    INSERT INTO event_search (rowid, search_text) VALUES (new.id, substr(new.utc_start_date, 1, 4) || replace(new.search_text, ' ', ' ' || substr(new.utc_start_date, 1, 4)));
    INSERT OR IGNORE INTO words (word)
  SELECT value FROM json_each('[' || replace(json_quote(new.search_text), ' ', '","') || ']'); END;

CREATE INDEX events_changed ON events
      (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date, event_status)
      WHERE event_status <> 'scheduled';

CREATE INDEX events_series ON events (series_id, status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date) WHERE series_id IS NOT NULL;

CREATE INDEX events_single ON events (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date) WHERE series_id IS NULL;

CREATE TRIGGER events_revision AFTER UPDATE ON events WHEN new.revision = old.revision AND new.ical_sequence = old.ical_sequence AND new.series_id IS old.series_id BEGIN
    UPDATE events SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE INDEX events_listed ON events (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date, series_id) ;

CREATE INDEX events_long ON events (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date, series_id) WHERE substr(utc_end_date, 1, 7) > substr(utc_start_date, 1, 7);

CREATE TRIGGER events_series_links AFTER UPDATE OF series_id ON events WHEN new.series_id IS NOT old.series_id BEGIN
    UPDATE event_links SET series_id = new.series_id WHERE event_id = new.id; END;

CREATE TABLE linked_posts (
    id BIGINT PRIMARY KEY REFERENCES records (id), author_id BIGINT NOT NULL, status TEXT NOT NULL,
    date TEXT NOT NULL, date_utc TEXT NOT NULL, modified TEXT NOT NULL, modified_utc TEXT NOT NULL,
    title TEXT NOT NULL, title_key TEXT NOT NULL, description TEXT NOT NULL,
    slug TEXT NOT NULL, image_id BIGINT REFERENCES media (id), trashed_from TEXT NOT NULL,
    search_text TEXT NOT NULL,
    kind TEXT NOT NULL, attributes TEXT NOT NULL, show_map INTEGER NOT NULL, show_map_link INTEGER NOT NULL,
    geo_lat DOUBLE PRECISION, geo_lng DOUBLE PRECISION, revision INTEGER NOT NULL DEFAULT 1);

CREATE INDEX linked_posts_listed ON linked_posts (kind, status, title_key, id);

CREATE INDEX linked_posts_slug ON linked_posts (kind, slug);

CREATE UNIQUE INDEX linked_posts_address ON linked_posts (kind, slug) WHERE slug <> '' AND status NOT IN ('draft', 'pending', 'auto-draft');

CREATE INDEX linked_posts_scheduled ON linked_posts (date_utc) WHERE status = 'future';

CREATE INDEX linked_posts_place ON linked_posts (geo_lat, geo_lng) WHERE geo_lat IS NOT NULL;

CREATE TRIGGER linked_posts_calendar_insert
      AFTER INSERT ON linked_posts BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER linked_posts_calendar_update
      AFTER UPDATE ON linked_posts BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER linked_posts_calendar_delete
      AFTER DELETE ON linked_posts BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER linked_posts_revision AFTER UPDATE ON linked_posts WHEN new.revision = old.revision BEGIN
    UPDATE linked_posts SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE INDEX linked_posts_image ON linked_posts (image_id) WHERE image_id IS NOT NULL;

CREATE TABLE terms (
    id INTEGER PRIMARY KEY AUTOINCREMENT, taxonomy TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL, slug TEXT NOT NULL,
    description TEXT NOT NULL, parent_id BIGINT NOT NULL, count INTEGER NOT NULL, revision INTEGER NOT NULL DEFAULT 1, color TEXT);

CREATE UNIQUE INDEX terms_slug ON terms (taxonomy, slug);

CREATE INDEX terms_name ON terms (taxonomy, name_key);

CREATE INDEX terms_parent ON terms (parent_id);

CREATE TRIGGER terms_calendar_insert
      AFTER INSERT ON terms BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER terms_calendar_update
      AFTER UPDATE ON terms BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER terms_calendar_delete
      AFTER DELETE ON terms BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE INDEX terms_empty ON terms (taxonomy) WHERE count = 0;

CREATE TRIGGER terms_revision AFTER UPDATE ON terms WHEN new.revision = old.revision AND new.count = old.count BEGIN
    UPDATE terms SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE TABLE event_links (
    event_id BIGINT NOT NULL REFERENCES events (id) ON DELETE CASCADE, kind TEXT NOT NULL, target_id BIGINT NOT NULL,
    position INTEGER NOT NULL, status TEXT NOT NULL, hide_from_listings INTEGER NOT NULL,
    start_date TEXT NOT NULL, end_date TEXT NOT NULL, utc_start_date TEXT NOT NULL, utc_end_date TEXT NOT NULL, series_id BIGINT, PRIMARY KEY (event_id, kind, target_id));

CREATE TRIGGER event_links_calendar_insert
      AFTER INSERT ON event_links BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER event_links_calendar_update
      AFTER UPDATE ON event_links BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER event_links_calendar_delete
      AFTER DELETE ON event_links BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE INDEX event_links_listed ON event_links
        (kind, target_id, status, hide_from_listings, utc_start_date, event_id, start_date, end_date, utc_end_date, series_id) ;

CREATE INDEX event_links_long ON event_links
        (kind, target_id, status, hide_from_listings, utc_start_date, event_id, start_date, end_date, utc_end_date, series_id) WHERE substr(utc_end_date, 1, 7) > substr(utc_start_date, 1, 7);

CREATE INDEX event_links_in_series ON event_links
      (series_id, kind, target_id, status, hide_from_listings, utc_start_date, event_id, start_date, end_date, utc_end_date) WHERE series_id IS NOT NULL;

CREATE TRIGGER event_links_series AFTER INSERT ON event_links
    WHEN (SELECT series_id FROM events WHERE id = new.event_id) IS NOT NULL BEGIN
    UPDATE event_links SET series_id = (SELECT series_id FROM events WHERE id = new.event_id) WHERE rowid = new.rowid;
    END;

CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);

CREATE TRIGGER words_insert AFTER INSERT ON words BEGIN
    INSERT INTO word_parts (rowid, word) VALUES (new.id, new.word); END;

CREATE VIRTUAL TABLE word_parts USING fts5 (
    word, content='words', content_rowid='id', tokenize='trigram case_sensitive 1');

CREATE TABLE tickets (
    id BIGINT PRIMARY KEY REFERENCES records (id), event_id BIGINT NOT NULL, provider TEXT NOT NULL,
    author_id BIGINT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL, date_utc TEXT NOT NULL,
    modified TEXT NOT NULL, modified_utc TEXT NOT NULL, title TEXT NOT NULL, title_key TEXT NOT NULL,
    description TEXT NOT NULL, slug TEXT NOT NULL, search_text TEXT NOT NULL, price BIGINT NOT NULL, sku TEXT NOT NULL,
    iac TEXT NOT NULL, show_description INTEGER NOT NULL, menu_order INTEGER NOT NULL, not_going INTEGER NOT NULL,
    start_date TEXT NOT NULL, start_time TEXT NOT NULL, end_date TEXT NOT NULL, end_time TEXT NOT NULL,
    sale_start_utc TEXT NOT NULL, sale_end_utc TEXT NOT NULL,
    sale_price BIGINT, sale_price_start TEXT NOT NULL, sale_price_end TEXT NOT NULL,
    mode TEXT NOT NULL, capacity BIGINT, sold BIGINT NOT NULL, held BIGINT NOT NULL, is_deleted INTEGER NOT NULL, revision INTEGER NOT NULL DEFAULT 1, max_per_order INTEGER NOT NULL DEFAULT 20, pass_id BIGINT, tax_rate_id BIGINT REFERENCES tax_rates (id), min_per_order INTEGER NOT NULL DEFAULT 0, requires_code INTEGER NOT NULL DEFAULT 0, min_price BIGINT,
    CHECK (sold >= 0 AND held >= 0));

CREATE INDEX tickets_event ON tickets (event_id, is_deleted, menu_order, id);

CREATE INDEX tickets_title ON tickets (is_deleted, title_key, id);

CREATE TRIGGER tickets_calendar_insert
      AFTER INSERT ON tickets BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER tickets_calendar_update
      AFTER UPDATE OF id, event_id, provider, author_id, status, date, date_utc, modified, modified_utc, title, title_key, description, slug, search_text, price, sku, iac, show_description, menu_order, not_going, start_date, start_time, end_date, end_time, sale_start_utc, sale_end_utc, sale_price, sale_price_start, sale_price_end, mode, capacity, is_deleted ON tickets BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER tickets_calendar_delete
      AFTER DELETE ON tickets BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER tickets_revision AFTER UPDATE ON tickets WHEN new.revision = old.revision AND new.sold = old.sold AND new.held = old.held BEGIN
    UPDATE tickets SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE TRIGGER tickets_seats_update AFTER UPDATE OF sold, held ON tickets BEGIN
      UPDATE data_versions SET number = number + 1 WHERE part = 'seats' AND backend = 0;
    END;

CREATE UNIQUE INDEX tickets_pass ON tickets (pass_id, event_id) WHERE pass_id IS NOT NULL;

CREATE INDEX tickets_tax_rate ON tickets (tax_rate_id) WHERE tax_rate_id IS NOT NULL;

CREATE INDEX tickets_requires_code ON tickets (id) WHERE requires_code = 1;

CREATE TABLE event_stock (
    event_id BIGINT PRIMARY KEY, capacity BIGINT, sold BIGINT NOT NULL, held BIGINT NOT NULL,
    CHECK (sold >= 0 AND held >= 0));

CREATE TRIGGER event_stock_seats_insert AFTER INSERT ON event_stock BEGIN
      UPDATE data_versions SET number = number + 1 WHERE part = 'seats' AND backend = 0;
    END;

CREATE TRIGGER event_stock_seats_update AFTER UPDATE ON event_stock BEGIN
      UPDATE data_versions SET number = number + 1 WHERE part = 'seats' AND backend = 0;
    END;

CREATE TRIGGER event_stock_seats_delete AFTER DELETE ON event_stock BEGIN
      UPDATE data_versions SET number = number + 1 WHERE part = 'seats' AND backend = 0;
    END;

CREATE TABLE orders (
    id BIGINT PRIMARY KEY REFERENCES records (id), status TEXT NOT NULL, gateway TEXT NOT NULL,
    purchaser_name TEXT NOT NULL, purchaser_email TEXT NOT NULL, search_text TEXT NOT NULL, user_id BIGINT NOT NULL,
    currency TEXT NOT NULL, total BIGINT NOT NULL, date TEXT NOT NULL, date_utc TEXT NOT NULL, modified_utc TEXT NOT NULL, expires_utc TEXT DEFAULT '', network TEXT NOT NULL DEFAULT '', email_key TEXT NOT NULL DEFAULT '', revision INTEGER NOT NULL DEFAULT 1, access_version INTEGER NOT NULL DEFAULT 0, note TEXT NOT NULL DEFAULT '', at_door INTEGER NOT NULL DEFAULT 0, hold_until INTEGER, discount BIGINT NOT NULL DEFAULT 0, promotion_id BIGINT, billing TEXT NOT NULL DEFAULT '{}', language TEXT NOT NULL DEFAULT '', is_mailed INTEGER NOT NULL DEFAULT 0);

CREATE INDEX orders_status ON orders (status, id);

CREATE INDEX orders_email ON orders (purchaser_email);

CREATE INDEX orders_network ON orders (network) WHERE network <> '';

CREATE INDEX orders_email_key ON orders (email_key) WHERE email_key <> '';

CREATE INDEX orders_pending ON orders (expires_utc) WHERE status = 'pending';

CREATE TRIGGER orders_revision AFTER UPDATE ON orders WHEN new.revision = old.revision BEGIN
    UPDATE orders SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE INDEX orders_date ON orders (date_utc, id);

CREATE INDEX orders_currency ON orders (currency);

CREATE INDEX orders_hold ON orders (id) WHERE hold_until IS NOT NULL AND status = 'pending';

CREATE INDEX orders_mailbox ON orders (lower(purchaser_email), id);

CREATE TRIGGER orders_door AFTER UPDATE ON orders WHEN old.total IS NOT new.total OR old.at_door IS NOT new.at_door BEGIN INSERT INTO door_changes (attendee_id, event_id) SELECT a.id, a.event_id FROM attendees AS a WHERE a.order_id = new.id AND EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = a.event_id); END;

CREATE TABLE order_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT, order_id BIGINT NOT NULL REFERENCES orders (id), from_status TEXT NOT NULL, to_status TEXT NOT NULL,
    user_id BIGINT NOT NULL, date_utc TEXT NOT NULL, action TEXT NOT NULL DEFAULT 'status', details TEXT NOT NULL DEFAULT '{}');

CREATE INDEX order_log_order ON order_log (order_id, id);

CREATE TABLE attendees (
    id BIGINT PRIMARY KEY REFERENCES records (id), event_id BIGINT NOT NULL,
    ticket_id BIGINT NOT NULL REFERENCES tickets (id), order_id BIGINT REFERENCES orders (id), provider TEXT NOT NULL,
    author_id BIGINT NOT NULL, user_id BIGINT NOT NULL, status TEXT NOT NULL, attendance_status TEXT NOT NULL,
    date TEXT NOT NULL, date_utc TEXT NOT NULL, modified TEXT NOT NULL, modified_utc TEXT NOT NULL,
    full_name TEXT NOT NULL, name_key TEXT NOT NULL, email TEXT NOT NULL, email_key TEXT NOT NULL,
    slug TEXT NOT NULL, optout INTEGER NOT NULL, price BIGINT NOT NULL, ticket_title TEXT NOT NULL,
    information TEXT NOT NULL, security_code TEXT NOT NULL, checked_in INTEGER NOT NULL, checkin_utc TEXT NOT NULL,
    checkin_source TEXT NOT NULL, checkin_author BIGINT NOT NULL, checkin_device TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1, reply_id INTEGER, pass_id BIGINT, language TEXT NOT NULL DEFAULT '', door_note TEXT NOT NULL DEFAULT '');

CREATE INDEX attendees_ticket ON attendees (ticket_id, id);

CREATE INDEX attendees_order ON attendees (order_id);

CREATE TRIGGER attendees_revision AFTER UPDATE ON attendees WHEN new.revision = old.revision AND new.checked_in = old.checked_in AND new.status = old.status AND new.attendance_status = old.attendance_status BEGIN
    UPDATE attendees SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE INDEX attendees_reply ON attendees (reply_id) WHERE reply_id IS NOT NULL;

CREATE INDEX attendees_slug ON attendees (slug, id);

CREATE INDEX attendees_date ON attendees
      (date_utc, id, event_id, ticket_id, order_id, status, attendance_status, price);

CREATE INDEX attendees_inside ON attendees (event_id, ticket_id, checkin_utc, status) WHERE checked_in = 1;

CREATE INDEX attendees_name ON attendees
            (name_key, id, email_key, security_code, order_id, event_id, ticket_id, status, attendance_status,
             checked_in, checkin_utc);

CREATE UNIQUE INDEX attendees_pass ON attendees (pass_id, event_id) WHERE pass_id IS NOT NULL;

CREATE INDEX attendees_event ON attendees (event_id, id, status, attendance_status, optout, provider, ticket_id);

CREATE INDEX attendees_reply_email ON attendees (email_key, id) WHERE provider = 'rsvp';

CREATE TRIGGER attendees_door_insert AFTER INSERT ON attendees WHEN EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = new.event_id) BEGIN
    INSERT INTO door_changes (attendee_id, event_id) VALUES (new.id, new.event_id); END;

CREATE TRIGGER attendees_door_delete AFTER DELETE ON attendees WHEN EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = old.event_id) BEGIN
    INSERT INTO door_changes (attendee_id, event_id) VALUES (old.id, old.event_id); END;

CREATE TRIGGER attendees_door_update
    AFTER UPDATE ON attendees WHEN old.event_id IS NOT new.event_id OR old.ticket_id IS NOT new.ticket_id OR old.order_id IS NOT new.order_id OR old.status IS NOT new.status OR old.attendance_status IS NOT new.attendance_status OR old.full_name IS NOT new.full_name OR old.security_code IS NOT new.security_code OR old.pass_id IS NOT new.pass_id OR old.checked_in IS NOT new.checked_in OR old.checkin_utc IS NOT new.checkin_utc OR old.door_note IS NOT new.door_note BEGIN
    INSERT INTO former_events (attendee_id, event_id) SELECT old.id, old.event_id
  WHERE old.event_id <> new.event_id AND NOT EXISTS
  (SELECT 1 FROM former_events AS f WHERE f.attendee_id = old.id AND f.event_id = old.event_id); INSERT INTO door_changes (attendee_id, event_id) SELECT new.id, new.event_id WHERE EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = new.event_id); INSERT INTO door_changes (attendee_id, event_id) SELECT f.attendee_id, f.event_id FROM former_events AS f
  WHERE f.attendee_id = new.id AND f.event_id <> new.event_id AND EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = f.event_id); END;

CREATE TABLE check_ins (
    id INTEGER PRIMARY KEY AUTOINCREMENT, attendee_id BIGINT NOT NULL, action TEXT NOT NULL, date_utc TEXT NOT NULL, source TEXT NOT NULL,
    user_id BIGINT NOT NULL, key_id BIGINT, device TEXT NOT NULL, scan_id BIGINT);

CREATE INDEX check_ins_attendee ON check_ins (attendee_id, id);

CREATE TABLE carts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, token_hash TEXT NOT NULL UNIQUE, meta TEXT NOT NULL, expires_utc TEXT NOT NULL, network TEXT NOT NULL DEFAULT '', is_emptied INTEGER NOT NULL DEFAULT 0, promotion_id BIGINT, donation BIGINT NOT NULL DEFAULT 0);

CREATE INDEX carts_expiry ON carts (expires_utc);

CREATE INDEX carts_network ON carts (network) WHERE network <> '';

CREATE TABLE cart_items (
    cart_id BIGINT NOT NULL REFERENCES carts (id), ticket_id BIGINT NOT NULL REFERENCES tickets (id),
    event_id BIGINT NOT NULL, quantity INTEGER NOT NULL, optout INTEGER NOT NULL, position INTEGER NOT NULL,
    expires_utc TEXT NOT NULL, network TEXT NOT NULL DEFAULT '', pass_id BIGINT, chosen_price BIGINT, PRIMARY KEY (cart_id, ticket_id));

CREATE INDEX cart_items_expiry ON cart_items (expires_utc);

CREATE INDEX cart_items_ticket ON cart_items (ticket_id, expires_utc);

CREATE INDEX cart_items_event ON cart_items (event_id, expires_utc);

CREATE INDEX cart_items_network ON cart_items (network, expires_utc, cart_id, quantity) WHERE network <> '';

CREATE TRIGGER cart_items_seats_insert AFTER INSERT ON cart_items BEGIN
      UPDATE data_versions SET number = number + 1 WHERE part = 'seats' AND backend = 0;
    END;

CREATE TRIGGER cart_items_seats_update AFTER UPDATE ON cart_items BEGIN
      UPDATE data_versions SET number = number + 1 WHERE part = 'seats' AND backend = 0;
    END;

CREATE TRIGGER cart_items_seats_delete AFTER DELETE ON cart_items BEGIN
      UPDATE data_versions SET number = number + 1 WHERE part = 'seats' AND backend = 0;
    END;

CREATE TABLE nonces (
    hash TEXT PRIMARY KEY, user_id BIGINT NOT NULL, action TEXT NOT NULL, event_id BIGINT, expires_utc TEXT NOT NULL);

CREATE INDEX nonces_expiry ON nonces (expires_utc);

CREATE TABLE check_in_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, event_id BIGINT, created_utc TEXT NOT NULL,
    last_used_utc TEXT);

CREATE TABLE translations (
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, record_id BIGINT NOT NULL, language TEXT NOT NULL, texts TEXT NOT NULL,
      provisional TEXT NOT NULL, name_key TEXT NOT NULL, search_text TEXT NOT NULL, status TEXT NOT NULL DEFAULT '', hide_from_listings INTEGER NOT NULL DEFAULT 0, utc_start_date TEXT NOT NULL DEFAULT '', start_date TEXT NOT NULL DEFAULT '', utc_end_date TEXT NOT NULL DEFAULT '', end_date TEXT NOT NULL DEFAULT '');

CREATE UNIQUE INDEX translations_record ON translations (record_id, kind, language);

CREATE INDEX translations_named ON translations (kind, language, name_key, record_id)
      ;

CREATE TRIGGER translation_search_delete AFTER DELETE ON translations WHEN old.kind = 'event' BEGIN
    DELETE FROM translation_search WHERE rowid = old.id; END;

CREATE INDEX translations_event ON translations (id, language, record_id, status, hide_from_listings, utc_start_date, start_date, utc_end_date, end_date) WHERE kind = 'event';

CREATE TRIGGER translations_calendar_insert
      AFTER INSERT ON translations BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER translations_calendar_update
      AFTER UPDATE ON translations BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER translations_calendar_delete
      AFTER DELETE ON translations BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER translation_search_insert AFTER INSERT ON translations WHEN new.kind = 'event' BEGIN
    INSERT INTO translation_search (rowid, search_text) VALUES (new.id, substr(new.utc_start_date, 1, 4) || replace(new.search_text, ' ', ' ' || substr(new.utc_start_date, 1, 4)));
    INSERT OR IGNORE INTO words (word)
  SELECT value FROM json_each('[' || replace(json_quote(new.search_text), ' ', '","') || ']'); END;

CREATE TRIGGER translation_search_update AFTER UPDATE OF search_text, utc_start_date ON translations
    WHEN new.kind = 'event' AND (old.search_text <> new.search_text OR substr(old.utc_start_date, 1, 4) <> substr(new.utc_start_date, 1, 4)) BEGIN
    DELETE FROM translation_search WHERE rowid = new.id;
    INSERT INTO translation_search (rowid, search_text) VALUES (new.id, substr(new.utc_start_date, 1, 4) || replace(new.search_text, ' ', ' ' || substr(new.utc_start_date, 1, 4)));
    INSERT OR IGNORE INTO words (word)
  SELECT value FROM json_each('[' || replace(json_quote(new.search_text), ' ', '","') || ']'); END;

CREATE TABLE site (name TEXT PRIMARY KEY, value TEXT NOT NULL);

INSERT INTO site (name, value) VALUES
  ('calendar_id', lower(hex(randomblob(16))));

CREATE TRIGGER site_calendar_insert
      AFTER INSERT ON site BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER site_calendar_update
      AFTER UPDATE ON site BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER site_calendar_delete
      AFTER DELETE ON site BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TABLE rate_limits (key TEXT PRIMARY KEY, points BIGINT NOT NULL, expires_utc TEXT NOT NULL);

CREATE INDEX rate_limits_expiry ON rate_limits (expires_utc);

CREATE TABLE idempotency_keys (
      hash TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, owner TEXT NOT NULL, answer TEXT NOT NULL,
      expires_utc TEXT NOT NULL);

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_utc);

CREATE TABLE data_versions (
      part TEXT NOT NULL,
      backend INTEGER NOT NULL,
      number BIGINT NOT NULL,
      PRIMARY KEY (part, backend)
    );

INSERT INTO data_versions (part, backend, number) VALUES
  ('calendar', 0, 1),
  ('seats', 0, 0);

CREATE VIRTUAL TABLE event_search USING fts5 (
  search_text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'");

CREATE VIRTUAL TABLE translation_search USING fts5 (
  search_text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'");

CREATE TABLE former_slugs (
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, slug TEXT NOT NULL, record_id BIGINT NOT NULL, UNIQUE (kind, slug));

CREATE INDEX former_slugs_record ON former_slugs (record_id, kind, id);

CREATE TRIGGER former_slugs_calendar_insert AFTER INSERT ON former_slugs BEGIN
    UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER former_slugs_calendar_update AFTER UPDATE ON former_slugs BEGIN
    UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER former_slugs_calendar_delete AFTER DELETE ON former_slugs BEGIN
    UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TABLE site_settings (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL,
      logo_id BIGINT REFERENCES media (id),
      colors TEXT NOT NULL,
      contact TEXT NOT NULL,
      cancellation TEXT NOT NULL,
      payment_ways TEXT NOT NULL,
      address_words TEXT NOT NULL
    , second_factor_roles TEXT NOT NULL DEFAULT '[]', languages TEXT, timezone TEXT, currency TEXT, currency_symbol TEXT, collapse_series INTEGER NOT NULL DEFAULT 0, seller TEXT NOT NULL DEFAULT '{}', accepts_donations INTEGER NOT NULL DEFAULT 0, donation_amounts TEXT NOT NULL DEFAULT '[]', sends_reminders INTEGER NOT NULL DEFAULT 0);

INSERT INTO site_settings (id, revision, logo_id, colors, contact, cancellation, payment_ways, address_words, second_factor_roles, languages, timezone, currency, currency_symbol, collapse_series, seller, accepts_donations, donation_amounts, sends_reminders) VALUES
  (1, 1, null, '{}', '{}', '{"rule":"free"}', '[{"id":"door","hold_hours":null}]', '[]', '[]', null, null, null, null, 0, '{}', 0, '[]', 0);

CREATE TRIGGER site_settings_calendar_insert AFTER INSERT ON site_settings BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER site_settings_calendar_update AFTER UPDATE ON site_settings BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER site_settings_calendar_delete AFTER DELETE ON site_settings BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TABLE site_texts (language TEXT PRIMARY KEY, texts TEXT NOT NULL);

CREATE TRIGGER site_texts_calendar_insert AFTER INSERT ON site_texts BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER site_texts_calendar_update AFTER UPDATE ON site_texts BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TRIGGER site_texts_calendar_delete AFTER DELETE ON site_texts BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END;

CREATE TABLE sessions (
      id INTEGER PRIMARY KEY AUTOINCREMENT, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, hash TEXT NOT NULL UNIQUE,
      credentials_version INTEGER NOT NULL, may_set_password INTEGER NOT NULL, created_utc TEXT NOT NULL,
      last_seen_utc TEXT NOT NULL, address TEXT NOT NULL, user_agent TEXT NOT NULL, confirmed_utc TEXT);

CREATE INDEX sessions_user ON sessions (user_id, id);

CREATE INDEX sessions_last_seen ON sessions (last_seen_utc);

CREATE TABLE sign_in_links (
      id INTEGER PRIMARY KEY AUTOINCREMENT, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, hash TEXT NOT NULL UNIQUE,
      expires_utc TEXT NOT NULL, salt TEXT NOT NULL DEFAULT '', may_set_password INTEGER NOT NULL DEFAULT 1);

CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

CREATE INDEX sign_in_links_expired ON sign_in_links (expires_utc);

CREATE TABLE recovery_codes (
      user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, hash TEXT NOT NULL, PRIMARY KEY (user_id, hash));

CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT, date_utc TEXT NOT NULL, user_id BIGINT, user_name TEXT NOT NULL, means TEXT NOT NULL,
      credential_id BIGINT, credential_name TEXT NOT NULL, network TEXT NOT NULL, request_id TEXT NOT NULL,
      action TEXT NOT NULL, kind TEXT NOT NULL, record_id BIGINT NOT NULL, title TEXT NOT NULL,
      revision INTEGER, fields TEXT NOT NULL, changes TEXT NOT NULL);

CREATE INDEX audit_date ON audit (date_utc, id);

CREATE INDEX audit_kind ON audit (kind, date_utc, id, action, user_id);

CREATE INDEX audit_action ON audit (action, date_utc, id, user_id);

CREATE INDEX audit_record ON audit (kind, record_id, date_utc, id);

CREATE INDEX audit_user ON audit (user_id, date_utc, id, action);

CREATE TABLE "order_items" (order_id BIGINT NOT NULL REFERENCES orders (id), ticket_id BIGINT NOT NULL REFERENCES tickets (id),
  event_id BIGINT NOT NULL, quantity INTEGER NOT NULL, price BIGINT NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0, pass_id BIGINT, tax_rate INTEGER NOT NULL DEFAULT 0, tax BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (order_id, ticket_id, price));

CREATE INDEX order_items_event ON order_items (event_id, order_id);

CREATE TABLE former_files (
      file TEXT PRIMARY KEY, media_id BIGINT NOT NULL REFERENCES media (id) ON DELETE CASCADE, size TEXT NOT NULL);

CREATE INDEX former_files_media ON former_files (media_id);

CREATE TABLE merges (
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, survivor_id BIGINT NOT NULL, user_id BIGINT NOT NULL,
      made_utc TEXT NOT NULL, survivor TEXT NOT NULL, merged TEXT NOT NULL);

CREATE INDEX merges_made ON merges (made_utc);

CREATE TABLE merged_records (
      kind TEXT NOT NULL, record_id BIGINT NOT NULL, survivor_id BIGINT NOT NULL,
      merge_id BIGINT NOT NULL REFERENCES merges (id) ON DELETE CASCADE, PRIMARY KEY (kind, record_id));

CREATE INDEX merged_records_merge ON merged_records (merge_id);

CREATE TABLE merged_links (
      merge_id BIGINT NOT NULL REFERENCES merges (id) ON DELETE CASCADE, target_id BIGINT NOT NULL,
      event_id BIGINT NOT NULL, position INTEGER NOT NULL, is_moved INTEGER NOT NULL,
      PRIMARY KEY (merge_id, target_id, event_id));

CREATE TABLE job_runs (
      name TEXT PRIMARY KEY, run_utc TEXT NOT NULL, failed_utc TEXT);

CREATE TABLE free_places (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      network TEXT NOT NULL,
      mailbox TEXT NOT NULL,
      places INTEGER NOT NULL,
      attendee_id BIGINT UNIQUE,
      expires_utc TEXT NOT NULL
    );

CREATE INDEX free_places_network ON free_places (network, expires_utc, places) WHERE network <> '';

CREATE INDEX free_places_mailbox ON free_places (mailbox, expires_utc, places);

CREATE INDEX free_places_expiry ON free_places (expires_utc);

CREATE TABLE refusals (kind TEXT NOT NULL, day TEXT NOT NULL, count BIGINT NOT NULL, PRIMARY KEY (kind, day));

CREATE TABLE ticket_transfers (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      attendee_id BIGINT NOT NULL REFERENCES attendees (id),
      former_code TEXT NOT NULL,
      full_name TEXT NOT NULL,
      date_utc TEXT NOT NULL
    );

CREATE INDEX ticket_transfers_attendee ON ticket_transfers (attendee_id, id);

CREATE TABLE jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      key TEXT,
      payload TEXT NOT NULL,
      state TEXT NOT NULL,
      due_utc TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      owner TEXT NOT NULL DEFAULT '',
      error TEXT NOT NULL DEFAULT '',
      record_kind TEXT,
      record_id BIGINT,
      created_utc TEXT NOT NULL
    );

CREATE INDEX jobs_due ON jobs (due_utc, id) WHERE state <> 'dead';

CREATE INDEX jobs_dead ON jobs (due_utc, id) WHERE state = 'dead';

CREATE INDEX jobs_by_kind ON jobs (kind, state, due_utc);

CREATE UNIQUE INDEX jobs_ready_key ON jobs (key) WHERE state = 'ready';

CREATE UNIQUE INDEX jobs_running_key ON jobs (key) WHERE state = 'running';

CREATE TABLE leases (
      name TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      until_utc TEXT NOT NULL,
      next_utc TEXT NOT NULL
    );

CREATE TABLE series (
      id BIGINT PRIMARY KEY,
      author_id BIGINT NOT NULL,
      status TEXT NOT NULL,
      slug TEXT NOT NULL UNIQUE,
      template TEXT NOT NULL,
      start_day TEXT NOT NULL,
      rrule TEXT NOT NULL,
      rdates TEXT NOT NULL,
      exdates TEXT NOT NULL,
      made_until TEXT NOT NULL DEFAULT '',
      version INTEGER NOT NULL DEFAULT 1,
      pending INTEGER NOT NULL DEFAULT 0,
      may_remove_sold INTEGER NOT NULL DEFAULT 0,
      follows_series_id BIGINT,
      modified TEXT NOT NULL,
      modified_utc TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    );

CREATE INDEX series_following ON series (follows_series_id) WHERE follows_series_id IS NOT NULL;

CREATE TRIGGER series_revision AFTER UPDATE ON series WHEN new.revision = old.revision AND new.pending = old.pending AND new.made_until = old.made_until BEGIN
    UPDATE series SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE TRIGGER series_calendar_insert AFTER INSERT ON series BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER series_calendar_update AFTER UPDATE OF author_id, status, slug, template, start_day, rrule, rdates, exdates, version, follows_series_id, modified, modified_utc ON series BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER series_calendar_delete AFTER DELETE ON series BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TABLE occurrences (
      event_id BIGINT PRIMARY KEY,
      series_id BIGINT NOT NULL,
      recurrence_id TEXT NOT NULL,
      own_fields TEXT NOT NULL DEFAULT '[]',
      version INTEGER NOT NULL,
      UNIQUE (series_id, recurrence_id)
    );

CREATE TRIGGER occurrences_calendar_insert AFTER INSERT ON occurrences BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER occurrences_calendar_update AFTER UPDATE ON occurrences BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER occurrences_calendar_delete AFTER DELETE ON occurrences BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TABLE payments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id BIGINT NOT NULL,
      gateway TEXT NOT NULL,
      method TEXT NOT NULL,
      status TEXT NOT NULL,
      amount BIGINT NOT NULL,
      refunded BIGINT NOT NULL DEFAULT 0,
      fee BIGINT,
      currency TEXT NOT NULL,
      external_id TEXT,
      page_url TEXT NOT NULL DEFAULT '',
      return_url TEXT NOT NULL DEFAULT '',
      instrument TEXT NOT NULL DEFAULT '',
      reference TEXT NOT NULL DEFAULT '',
      request TEXT NOT NULL DEFAULT '',
      checked_utc TEXT NOT NULL DEFAULT '',
      paid_utc TEXT NOT NULL DEFAULT '',
      created_utc TEXT NOT NULL,
      modified_utc TEXT NOT NULL
    );

CREATE INDEX payments_order ON payments (order_id, id);

CREATE UNIQUE INDEX payments_external ON payments (gateway, external_id) WHERE external_id IS NOT NULL;

CREATE INDEX payments_open ON payments (checked_utc, id)
      WHERE status IN ('created', 'open', 'processing', 'action');

CREATE INDEX payments_paid ON payments (paid_utc, id) WHERE paid_utc <> '';

CREATE INDEX payments_disputed ON payments (order_id) WHERE status = 'disputed';

CREATE TRIGGER payments_door_insert AFTER INSERT ON payments BEGIN INSERT INTO door_changes (attendee_id, event_id) SELECT a.id, a.event_id FROM orders AS o JOIN attendees AS a ON a.order_id = o.id
  WHERE o.id = new.order_id AND o.at_door = 1 AND EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = a.event_id); END;

CREATE TRIGGER payments_door_update AFTER UPDATE ON payments BEGIN INSERT INTO door_changes (attendee_id, event_id) SELECT a.id, a.event_id FROM orders AS o JOIN attendees AS a ON a.order_id = o.id
  WHERE o.id = new.order_id AND o.at_door = 1 AND EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = a.event_id); END;

CREATE TABLE payment_log (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      payment_id BIGINT NOT NULL,
      from_status TEXT NOT NULL,
      to_status TEXT NOT NULL,
      source TEXT NOT NULL,
      details TEXT NOT NULL DEFAULT '{}',
      user_id BIGINT NOT NULL DEFAULT 0,
      date_utc TEXT NOT NULL
    );

CREATE INDEX payment_log_payment ON payment_log (payment_id, id);

CREATE TABLE refunds (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      payment_id BIGINT NOT NULL,
      order_id BIGINT NOT NULL,
      status TEXT NOT NULL,
      amount BIGINT NOT NULL,
      reason TEXT NOT NULL DEFAULT '',
      source TEXT NOT NULL,
      attendees TEXT NOT NULL DEFAULT '[]',
      external_id TEXT,
      error TEXT NOT NULL DEFAULT '',
      user_id BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      modified_utc TEXT NOT NULL
    , gateway_key TEXT NOT NULL DEFAULT '', checked_utc TEXT NOT NULL DEFAULT '', offline INTEGER NOT NULL DEFAULT 0);

CREATE INDEX refunds_order ON refunds (order_id, id);

CREATE INDEX refunds_payment ON refunds (payment_id, id);

CREATE INDEX refunds_open ON refunds (checked_utc, id) WHERE status IN ('requested', 'pending');

CREATE INDEX refunds_failed ON refunds (order_id) WHERE status = 'failed';

CREATE INDEX refunds_created ON refunds (created_utc, id);

CREATE INDEX refunds_modified ON refunds (modified_utc, id);

CREATE TABLE order_charges (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      quantity INTEGER NOT NULL DEFAULT 1,
      amount BIGINT NOT NULL,
      tax_rate INTEGER NOT NULL DEFAULT 0,
      tax BIGINT NOT NULL DEFAULT 0,
      source_id BIGINT,
      date_utc TEXT NOT NULL
    );

CREATE INDEX order_charges_order ON order_charges (order_id, id);

CREATE TABLE tax_rates (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      rate INTEGER NOT NULL,
      included INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    );

CREATE TRIGGER tax_rates_revision AFTER UPDATE ON tax_rates WHEN new.revision = old.revision BEGIN
      UPDATE tax_rates SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE TRIGGER tax_rates_calendar_insert AFTER INSERT ON tax_rates BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER tax_rates_calendar_update AFTER UPDATE ON tax_rates BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER tax_rates_calendar_delete AFTER DELETE ON tax_rates BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TABLE fees (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      fixed BIGINT NOT NULL,
      rate INTEGER NOT NULL,
      per TEXT NOT NULL,
      event_id BIGINT,
      tax_rate_id BIGINT REFERENCES tax_rates (id),
      revision INTEGER NOT NULL DEFAULT 1
    );

CREATE TRIGGER fees_revision AFTER UPDATE ON fees WHEN new.revision = old.revision BEGIN
      UPDATE fees SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE TRIGGER fees_calendar_insert AFTER INSERT ON fees BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER fees_calendar_update AFTER UPDATE ON fees BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TRIGGER fees_calendar_delete AFTER DELETE ON fees BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END;

CREATE TABLE promotions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      code TEXT NOT NULL,
      code_key TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      value BIGINT NOT NULL,
      ticket_ids TEXT NOT NULL,
      event_id BIGINT,
      from_utc TEXT NOT NULL,
      until_utc TEXT NOT NULL,
      max_uses INTEGER,
      used INTEGER NOT NULL DEFAULT 0,
      max_per_buyer INTEGER,
      minimum BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    );

CREATE TRIGGER promotions_revision AFTER UPDATE ON promotions WHEN new.revision = old.revision AND new.used = old.used BEGIN
      UPDATE promotions SET revision = old.revision + 1 WHERE id = new.id; END;

CREATE TABLE promotion_uses (
      order_id BIGINT PRIMARY KEY,
      promotion_id BIGINT NOT NULL,
      buyer TEXT NOT NULL
    );

CREATE INDEX promotion_uses_buyer ON promotion_uses (promotion_id, buyer);

CREATE TABLE number_series (
      series TEXT PRIMARY KEY,
      last BIGINT NOT NULL
    );

CREATE TABLE invoices (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      series TEXT NOT NULL,
      number BIGINT NOT NULL,
      kind TEXT NOT NULL,
      order_id BIGINT NOT NULL,
      position INTEGER NOT NULL,
      issued_utc TEXT NOT NULL,
      currency TEXT NOT NULL,
      total BIGINT NOT NULL,
      body TEXT NOT NULL
    );

CREATE UNIQUE INDEX invoices_number ON invoices (series, number);

CREATE UNIQUE INDEX invoices_order ON invoices (order_id, position);

CREATE INDEX invoices_issued ON invoices (issued_utc, id);

CREATE TABLE reconciliation_findings (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gateway TEXT NOT NULL,
      subject TEXT NOT NULL,
      kind TEXT NOT NULL,
      order_id BIGINT,
      payment_id BIGINT NOT NULL,
      refund_id BIGINT,
      external_id TEXT,
      booked BIGINT,
      booked_currency TEXT NOT NULL DEFAULT '',
      settled BIGINT,
      settled_currency TEXT NOT NULL DEFAULT '',
      date_utc TEXT NOT NULL,
      status TEXT NOT NULL DEFAULT 'open',
      note TEXT NOT NULL DEFAULT '',
      user_id BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      modified_utc TEXT NOT NULL,
      UNIQUE (gateway, subject)
    );

CREATE INDEX reconciliation_findings_open ON reconciliation_findings (id) WHERE status = 'open';

CREATE TABLE mails (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      to_email TEXT NOT NULL,
      mailbox TEXT NOT NULL,
      language TEXT NOT NULL,
      record_kind TEXT NOT NULL,
      record_id BIGINT NOT NULL,
      status TEXT NOT NULL,
      due_utc TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      smtp_reply TEXT NOT NULL DEFAULT '',
      message_id TEXT NOT NULL DEFAULT '',
      user_id BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      sent_utc TEXT NOT NULL DEFAULT ''
    , event_id BIGINT NOT NULL DEFAULT 0, attendee_id BIGINT NOT NULL DEFAULT 0, is_bulk INTEGER NOT NULL DEFAULT 0, account_id BIGINT NOT NULL DEFAULT 0);

CREATE UNIQUE INDEX mails_key ON mails (key);

CREATE INDEX mails_due ON mails (due_utc, id) WHERE status = 'queued';

CREATE INDEX mails_record ON mails (record_kind, record_id);

CREATE INDEX mails_mailbox ON mails (mailbox, sent_utc);

CREATE INDEX mails_status ON mails (status, id);

CREATE INDEX mails_created ON mails (created_utc);

CREATE INDEX mails_due_single ON mails (due_utc, id) WHERE status = 'queued' AND is_bulk = 0;

CREATE INDEX mails_announcement ON mails (record_id, mailbox) WHERE record_kind = 'announcement';

CREATE INDEX mails_event ON mails (event_id, id) WHERE event_id > 0;

CREATE INDEX mails_attendee ON mails (attendee_id, id) WHERE attendee_id > 0;

CREATE INDEX mails_bounced ON mails (mailbox) WHERE status = 'bounced';

CREATE INDEX mails_account ON mails (account_id) WHERE account_id > 0;

CREATE TABLE announcements (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL,
      event_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      body TEXT NOT NULL,
      audience TEXT NOT NULL,
      ticket_ids TEXT NOT NULL,
      after_id BIGINT NOT NULL DEFAULT 0,
      until_id BIGINT NOT NULL,
      recipients BIGINT NOT NULL DEFAULT 0,
      user_id BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      done_utc TEXT NOT NULL DEFAULT ''
    );

CREATE UNIQUE INDEX announcements_key ON announcements (key);

CREATE INDEX announcements_event ON announcements (event_id, id);

CREATE TABLE mail_texts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      language TEXT NOT NULL,
      event_id BIGINT NOT NULL DEFAULT 0,
      subject TEXT NOT NULL,
      introduction TEXT NOT NULL,
      modified_utc TEXT NOT NULL
    );

CREATE UNIQUE INDEX mail_texts_key ON mail_texts (event_id, kind, language);

CREATE TABLE mail_optouts (
      mailbox TEXT NOT NULL PRIMARY KEY,
      created_utc TEXT NOT NULL
    );

CREATE TABLE event_reminders (
      event_id BIGINT NOT NULL PRIMARY KEY,
      is_on INTEGER NOT NULL
    );

CREATE TABLE account_devices (
      user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      hash TEXT NOT NULL,
      seen_utc TEXT NOT NULL,
      PRIMARY KEY (user_id, hash)
    );

CREATE INDEX account_devices_seen ON account_devices (seen_utc);

CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source TEXT NOT NULL,
      started_utc TEXT NOT NULL,
      finished_utc TEXT,
      step INTEGER NOT NULL DEFAULT 0,
      page INTEGER NOT NULL DEFAULT 1,
      pass INTEGER NOT NULL DEFAULT 1,
      counts TEXT NOT NULL DEFAULT '{}'
    , undone_utc TEXT);

CREATE INDEX imports_source ON imports (source, id);

CREATE TABLE import_links (
      source TEXT NOT NULL,
      kind TEXT NOT NULL,
      foreign_id BIGINT NOT NULL,
      foreign_start TEXT NOT NULL DEFAULT '',
      record_id BIGINT,
      hash TEXT NOT NULL,
      fields TEXT NOT NULL,
      revision INTEGER,
      import_id BIGINT NOT NULL,
      seen_utc TEXT NOT NULL,
      PRIMARY KEY (source, kind, foreign_id, foreign_start)
    );

CREATE INDEX import_links_record ON import_links (kind, record_id);

CREATE INDEX import_links_seen ON import_links (import_id, kind);

CREATE TABLE import_findings (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      foreign_id BIGINT NOT NULL,
      code TEXT NOT NULL,
      detail TEXT NOT NULL
    );

CREATE UNIQUE INDEX import_findings_once ON import_findings (import_id, kind, foreign_id, code, detail);

CREATE TABLE gates (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      modes TEXT NOT NULL,
      reentry TEXT NOT NULL,
      names TEXT NOT NULL,
      ticket_ids TEXT NOT NULL,
      may_search INTEGER NOT NULL,
      may_undo INTEGER NOT NULL,
      may_override INTEGER NOT NULL,
      may_sell INTEGER NOT NULL,
      needs_pin INTEGER NOT NULL,
      strict_minutes INTEGER,
      expires_utc TEXT,
      created_utc TEXT NOT NULL,
      events_key TEXT NOT NULL,
      settled_version BIGINT
    );

CREATE TABLE gate_events (
      gate_id BIGINT NOT NULL REFERENCES gates (id),
      event_id BIGINT NOT NULL,
      PRIMARY KEY (gate_id, event_id)
    );

CREATE INDEX gate_events_event ON gate_events (event_id);

CREATE TABLE door_devices (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gate_id BIGINT NOT NULL,
      name TEXT NOT NULL,
      pairing_hash TEXT,
      pairing_expires_utc TEXT NOT NULL,
      token_hash TEXT,
      created_utc TEXT NOT NULL,
      paired_utc TEXT NOT NULL DEFAULT '',
      last_seen_utc TEXT,
      revoked_utc TEXT NOT NULL DEFAULT '',
      status TEXT NOT NULL DEFAULT '{}'
    );

CREATE UNIQUE INDEX door_devices_pairing ON door_devices (pairing_hash);

CREATE UNIQUE INDEX door_devices_token ON door_devices (token_hash);

CREATE INDEX door_devices_gate ON door_devices (gate_id, id);

CREATE TABLE door_scans (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      device_id BIGINT NOT NULL,
      scan_id TEXT NOT NULL,
      gate_id BIGINT NOT NULL,
      event_id BIGINT,
      attendee_id BIGINT,
      mode TEXT NOT NULL,
      undoes TEXT NOT NULL DEFAULT '',
      reentry TEXT NOT NULL,
      overrides INTEGER NOT NULL,
      let_in INTEGER,
      scanned_utc TEXT NOT NULL,
      received_utc TEXT NOT NULL,
      verdict TEXT NOT NULL,
      first_utc TEXT NOT NULL DEFAULT '',
      first_place TEXT NOT NULL DEFAULT '',
      counts INTEGER NOT NULL,
      is_undone INTEGER NOT NULL DEFAULT 0
    );

CREATE UNIQUE INDEX door_scans_key ON door_scans (device_id, scan_id);

CREATE INDEX door_scans_attendee ON door_scans (attendee_id, scanned_utc);

CREATE INDEX door_scans_event ON door_scans (event_id, gate_id);

CREATE INDEX door_scans_undo ON door_scans (device_id, undoes) WHERE undoes <> '';

CREATE TABLE door_clashes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      event_id BIGINT NOT NULL,
      attendee_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      reason TEXT NOT NULL,
      first_utc TEXT NOT NULL,
      first_place TEXT NOT NULL,
      first_device_id BIGINT NOT NULL DEFAULT 0,
      second_device_id BIGINT NOT NULL DEFAULT 0,
      second_key TEXT NOT NULL,
      second_utc TEXT NOT NULL,
      second_place TEXT NOT NULL,
      found_utc TEXT NOT NULL,
      closed_utc TEXT NOT NULL DEFAULT '',
      closed_by BIGINT NOT NULL DEFAULT 0,
      note TEXT NOT NULL DEFAULT ''
    );

CREATE UNIQUE INDEX door_clashes_key ON door_clashes (attendee_id, second_key);

CREATE INDEX door_clashes_event ON door_clashes (event_id, id);

CREATE INDEX door_clashes_first ON door_clashes (first_device_id, id) WHERE first_device_id > 0;

CREATE INDEX door_clashes_second ON door_clashes (second_device_id, id) WHERE second_device_id > 0;

CREATE TABLE door_sales (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      device_id BIGINT NOT NULL,
      sale_id TEXT NOT NULL,
      gate_id BIGINT NOT NULL,
      event_id BIGINT NOT NULL,
      order_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      payment TEXT NOT NULL,
      places INTEGER NOT NULL,
      amount BIGINT NOT NULL,
      currency TEXT NOT NULL,
      sold_utc TEXT NOT NULL
    , part INTEGER NOT NULL DEFAULT 0);

CREATE INDEX door_sales_event ON door_sales (event_id, gate_id);

CREATE UNIQUE INDEX door_sales_key ON door_sales (device_id, sale_id, part);

CREATE TABLE door_changes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      attendee_id BIGINT NOT NULL,
      event_id BIGINT NOT NULL,
      version INTEGER GENERATED ALWAYS AS (id) VIRTUAL
    );

CREATE INDEX door_changes_event ON door_changes (event_id, version, attendee_id);

CREATE INDEX door_changes_attendee ON door_changes (attendee_id, event_id, version);

CREATE TABLE signing_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      created_utc TEXT NOT NULL,
      retired_utc TEXT NOT NULL DEFAULT ''
    );

CREATE TABLE import_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source TEXT NOT NULL,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      sequence BIGINT NOT NULL DEFAULT 0
    );

CREATE UNIQUE INDEX import_keys_name ON import_keys (source, kind, name);

CREATE TABLE subscriptions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      address TEXT NOT NULL,
      status TEXT NOT NULL,
      categories TEXT NOT NULL DEFAULT '[]',
      hours INTEGER NOT NULL,
      created_utc TEXT NOT NULL,
      due_utc TEXT NOT NULL,
      checked_utc TEXT,
      succeeded_utc TEXT,
      failures INTEGER NOT NULL DEFAULT 0,
      problem TEXT NOT NULL DEFAULT '',
      etag TEXT NOT NULL DEFAULT '',
      counts TEXT NOT NULL DEFAULT '{}',
      import_id BIGINT
    , is_paused INTEGER NOT NULL DEFAULT 0);

CREATE UNIQUE INDEX subscriptions_address ON subscriptions (address);

CREATE INDEX subscriptions_due ON subscriptions (due_utc);

CREATE TABLE import_changes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      record_id BIGINT NOT NULL,
      foreign_id BIGINT NOT NULL,
      action TEXT NOT NULL,
      revision INTEGER,
      former TEXT NOT NULL,
      outcome TEXT NOT NULL DEFAULT '',
      reason TEXT NOT NULL DEFAULT ''
    );

CREATE INDEX import_changes_import ON import_changes (import_id, kind, id);

CREATE INDEX import_changes_record ON import_changes (kind, record_id, import_id);

CREATE TABLE import_runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      state TEXT NOT NULL,
      user_id BIGINT NOT NULL,
      means TEXT NOT NULL,
      created_utc TEXT NOT NULL,
      changed_utc TEXT NOT NULL,
      planned_utc TEXT,
      begun_utc TEXT,
      finished_utc TEXT,
      erased_utc TEXT,
      file_name TEXT NOT NULL,
      address TEXT NOT NULL,
      options TEXT NOT NULL,
      login TEXT NOT NULL,
      secret TEXT NOT NULL,
      size BIGINT NOT NULL,
      received BIGINT NOT NULL DEFAULT 0,
      columns TEXT NOT NULL DEFAULT '',
      step TEXT NOT NULL DEFAULT '',
      page INTEGER NOT NULL DEFAULT 0,
      done INTEGER NOT NULL DEFAULT 0,
      plan_counts TEXT NOT NULL DEFAULT '{}',
      counts TEXT NOT NULL DEFAULT '{}',
      gone TEXT NOT NULL DEFAULT '{}',
      problem TEXT NOT NULL DEFAULT '',
      detail TEXT NOT NULL DEFAULT '',
      is_stopping INTEGER NOT NULL DEFAULT 0,
      tries INTEGER NOT NULL DEFAULT 0,
      owner TEXT NOT NULL DEFAULT '',
      import_id BIGINT
    );

CREATE INDEX import_runs_state ON import_runs (state, changed_utc);

CREATE INDEX import_runs_changed ON import_runs (changed_utc);

CREATE TABLE import_chunks (
      run_id BIGINT NOT NULL REFERENCES import_runs (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (run_id, number)
    );

CREATE TABLE import_plans (
      run_id BIGINT NOT NULL REFERENCES import_runs (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      action TEXT NOT NULL,
      kind TEXT NOT NULL,
      foreign_id BIGINT NOT NULL,
      name TEXT NOT NULL,
      title TEXT NOT NULL,
      fields TEXT NOT NULL,
      notes TEXT NOT NULL,
      PRIMARY KEY (run_id, number)
    );

CREATE INDEX import_plans_action ON import_plans (run_id, action, kind, number);

CREATE INDEX import_plans_kind ON import_plans (run_id, kind, number);

CREATE TABLE former_events (
      attendee_id BIGINT NOT NULL,
      event_id BIGINT NOT NULL,
      PRIMARY KEY (attendee_id, event_id)
    );

CREATE INDEX former_events_event ON former_events (event_id, attendee_id);
