import type { Migration } from '../migration.ts';

const LISTED = 'status, hide_from_listings, utc_start_date';
const TIMES = 'start_date, end_date, utc_end_date';

/** Conditions of indexes, as in 0013. */
const CONDITIONS: Readonly<Record<string, string>> = {
  listed: '',
  long: 'WHERE substr(utc_end_date, 1, 7) > substr(utc_start_date, 1, 7)',
};

/** Links repeat the series of their event, as they do its times. */
const sqliteTriggers = [
  `CREATE TRIGGER event_links_series AFTER INSERT ON event_links
    WHEN (SELECT series_id FROM events WHERE id = new.event_id) IS NOT NULL BEGIN
    UPDATE event_links SET series_id = (SELECT series_id FROM events WHERE id = new.event_id) WHERE rowid = new.rowid;
    END`,
  `CREATE TRIGGER events_series_links AFTER UPDATE OF series_id ON events WHEN new.series_id IS NOT old.series_id BEGIN
    UPDATE event_links SET series_id = new.series_id WHERE event_id = new.id; END`,
];

const postgresTriggers = [
  `CREATE FUNCTION event_link_series() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      new.series_id := (SELECT series_id FROM events WHERE id = new.event_id);
      RETURN new;
    END
  $$`,
  `CREATE TRIGGER event_links_series BEFORE INSERT ON event_links
    FOR EACH ROW EXECUTE FUNCTION event_link_series()`,
  `CREATE FUNCTION event_series_links() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      UPDATE event_links SET series_id = new.series_id WHERE event_id = new.id;
      RETURN NULL;
    END
  $$`,
  `CREATE TRIGGER events_series_links AFTER UPDATE OF series_id ON events
    FOR EACH ROW WHEN (new.series_id IS DISTINCT FROM old.series_id) EXECUTE FUNCTION event_series_links()`,
];

/**
 * Lets lists tell the series of an event from their index, so that they can have each series once; and makes the choice
 * of the site a column like all others.
 */
export const collapseSeries: Migration = {
  name: '0039-collapse-series',
  statements: ({ kind }) => [
    'ALTER TABLE event_links ADD COLUMN series_id BIGINT',
    `UPDATE event_links SET series_id = (SELECT series_id FROM events WHERE id = event_id)
      WHERE event_id IN (SELECT id FROM events WHERE series_id IS NOT NULL)`,
    ...['listed', 'long'].flatMap((name) => [
      `DROP INDEX events_${name}`,
      `CREATE INDEX events_${name} ON events (${LISTED}, id, ${TIMES}, series_id) ${CONDITIONS[name]}`,
      `DROP INDEX event_links_${name}`,
      `CREATE INDEX event_links_${name} ON event_links
        (kind, target_id, ${LISTED}, event_id, ${TIMES}, series_id) ${CONDITIONS[name]}`,
    ]),
    `CREATE INDEX event_links_in_series ON event_links
      (series_id, kind, target_id, ${LISTED}, event_id, ${TIMES}) WHERE series_id IS NOT NULL`,
    ...(kind === 'postgres' ? postgresTriggers : sqliteTriggers),
    'ALTER TABLE site_settings ADD COLUMN collapse_series INTEGER NOT NULL DEFAULT 0',
    `UPDATE site_settings SET collapse_series = 1
      WHERE EXISTS (SELECT 1 FROM site WHERE name = 'collapse_series')`,
    `DELETE FROM site WHERE name = 'collapse_series'`,
  ],
};
