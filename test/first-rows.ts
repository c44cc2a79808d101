import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';

/**
 * Gives a PostgreSQL database of tests the rows again that it has now, as often as wanted. In place of a new database,
 * this spares the connections, what they know of the tables, and the plans of their statements.
 */
export interface FirstRows {
  /** For readers, what is stored has changed as by any write. */
  restore(): Promise<void>;
  /** Whether tables, columns, indexes, triggers and functions are as they were. */
  hasSameTables(): Promise<boolean>;
}

const COPIES = 'first_rows';

/** Keeps the rows in another schema. Takes a superuser, whose sessions may turn off triggers. */
export async function keepFirstRows({ query }: Database): Promise<FirstRows> {
  const fingerprint = async () => (await sql<{ md5: string }>`${sql.raw(TABLES)}`.execute(query)).rows[0]?.md5;
  const first = await fingerprint();
  for (const statement of [COPY, RESTORE]) await sql.raw(statement).execute(query);
  return {
    async restore() {
      await sql.raw(`SELECT ${COPIES}.restore()`).execute(query);
    },
    hasSameTables: async () => (await fingerprint()) === first,
  };
}

const TABLES = `SELECT md5(string_agg(name, ' ' ORDER BY name)) FROM (
  SELECT format('%s %s', c.relname, a.attname) AS name FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0
  UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS names`;

/** Copies of the tables that have rows, and of the sequences. Counts of changes are never set back. */
const COPY = `DO $$
  DECLARE name text; has_rows boolean;
  BEGIN
    CREATE SCHEMA ${COPIES};
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'data_versions' LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', name) INTO has_rows;
      IF has_rows THEN EXECUTE format('CREATE TABLE ${COPIES}.%I AS TABLE public.%I', name, name); END IF;
    END LOOP;
    CREATE TABLE ${COPIES}.sequences AS
      SELECT format('public.%I', sequencename) AS name, coalesce(last_value, start_value) AS value,
        last_value IS NOT NULL AS is_called
      FROM pg_sequences WHERE schemaname = 'public';
  END $$`;

/** Without triggers and foreign keys, so that the tables may come in any order. */
const RESTORE = `CREATE FUNCTION ${COPIES}.restore() RETURNS void LANGUAGE plpgsql
  SET session_replication_role = replica AS $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'data_versions' LOOP
      EXECUTE format('DELETE FROM public.%I', name);
      IF to_regclass(format('${COPIES}.%I', name)) IS NOT NULL THEN
        EXECUTE format('INSERT INTO public.%I SELECT * FROM ${COPIES}.%I', name, name);
      END IF;
    END LOOP;
    UPDATE public.data_versions SET number = number + 1;
    PERFORM setval(s.name::regclass, s.value, s.is_called) FROM ${COPIES}.sequences AS s;
  END $$`;
