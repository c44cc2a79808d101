import { z } from 'zod';

interface Remarks {
  /** Describes the default of a setting without a default value. */
  preset?: string;
  isSecret?: true;
}

interface Documentation extends Remarks {
  /** The environment variable. */
  name: string;
  about: string;
}

/** A setting as `docs/settings.md` describes it. */
export interface Setting extends Documentation {
  preset: string;
}

const documentation = z.registry<Documentation>();

/** Documents the schema of a setting. */
export function setting<Schema extends z.ZodType>(
  name: string,
  about: string,
  schema: Schema,
  remarks?: Remarks,
): Schema {
  documentation.add(schema, { ...remarks, name, about });
  return schema;
}

/** @throws for a schema without documentation, or without a default */
export function documented(schema: z.ZodType<unknown, unknown>): Setting {
  const texts = documentation.get(schema);
  const preset = texts?.preset ?? (schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined);
  if (texts === undefined || preset === undefined) throw new Error('A setting lacks its documentation.');
  return { ...texts, preset };
}
