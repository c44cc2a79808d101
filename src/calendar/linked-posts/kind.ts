import type { RawBuilder, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { AddProblem, Fields } from '../../http/core/endpoint.ts';
import { clearable, filledText, text, translatable, withDefault } from '../../http/input/schemas.ts';
import { LINKED_KINDS, type LinkedKind } from '../../lib/linked-kinds.ts';
import type { Image } from '../../platform/media/images.ts';
import { type PostInput, postFields } from '../posts/post.ts';
import type { LinkedPost } from './store.ts';

/** Columns a kind may use besides the shared ones. */
export type ExtraColumns = Pick<LinkedPost, 'show_map' | 'show_map_link' | 'geo_lat' | 'geo_lng'>;

/** A list filter of one kind; `where` gets the validated value of `field`. */
interface OwnFilter {
  field: z.ZodType;
  where(value: unknown, db: Database): RawBuilder<SqlBool>;
}

/** Everything that distinguishes one kind of linked post from another. */
export interface LinkedPostKind {
  name: LinkedKind;
  /** Last segment of the routes, and key of the list. */
  plural: string;
  /** Text attributes, in the order in which answers list them. */
  attributes: Readonly<Record<string, z.ZodType<string | null>>>;
  /** Fields of a write besides the name, the shared ones and the attributes. */
  fields?: Fields;
  /** Computes the extra columns after a write. */
  columns?(input: Readonly<Record<string, unknown>>, current: ExtraColumns): ExtraColumns;
  /** Whether two texts of an attribute are equivalent; by default, ignoring case and spaces. */
  isSame?: Readonly<Record<string, (one: string, other: string) => boolean>>;
  /** Groups of fields that are only valid together. */
  together?: readonly (readonly string[])[];
  /** Validation across fields, such as one coordinate without the other. */
  check?(input: Readonly<Record<string, unknown>>, addProblem: AddProblem): void;
  /** Filters of the list besides the shared ones. */
  filters?: Readonly<Record<string, OwnFilter>>;
  /** Schema of an answer, created by `linkedPostSchema`. */
  schema: z.ZodType;
  /** The attributes shown in answers, including derived ones. */
  derive?(attributes: LinkedPost['attributes']): Record<string, string>;
  /** Members after the attributes, omitted if empty. */
  extra?(post: LinkedPost): Record<string, unknown>;
  /** Members that are always present. */
  always?(post: LinkedPost): Record<string, unknown>;
  /** Renders schema.org data. */
  jsonLd(post: LinkedPost, image: Image | undefined): Record<string, unknown>;
  inEvents: {
    /** schema.org property for the first of them. */
    jsonLdProperty: string;
    /** Whether an event shows a single one as an object, not as a list of one. */
    isUnwrapped?: boolean;
  };
  /**
   * What calendars show of it as the place of its events, if it is one: a change of it raises their `ical_sequence`.
   */
  placeOf?(post: Pick<LinkedPost, 'title' | 'attributes' | 'geo_lat' | 'geo_lng'>): readonly unknown[];
  /** Attributes, alone or together, that two records hardly share unless they are duplicates. */
  identifying: readonly (readonly string[])[];
  /** Keys of `meta` in `wp/v2`, with the field of each. */
  metaKeys: Readonly<Record<string, string>>;
}

/** A validated write: the shared fields, the name as `venue` or the like, and the attributes. */
export type LinkedPostInput = PostInput & { description?: string | null } & Readonly<Record<string, unknown>>;

/** A text attribute of one line. */
export const attributeLine = (description: string) => withDefault(clearable(text(description, { max: 500 })), null);

/** Whether two web addresses are the same in their normal form: `https://a.example` and `https://A.example/`. */
export const isSameWebsite = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.parse(one)?.href === URL.parse(other)?.href;

/** The fields of a write, which are also those of an inline object in an event. */
export const writeFields = (kind: LinkedPostKind): Fields => ({
  ...postFields,
  [kind.name]: translatable(
    clearable(filledText(`Name of the ${kind.name}. \`null\` removes its translation.`, { max: 500 })),
  ),
  description: withDefault(translatable(clearable(text('Description. HTML is cleaned.'))), null),
  image: withDefault(postFields.image, null),
  ...Object.fromEntries(
    Object.entries(kind.attributes).map(([name, field]) => [name, attributeField(kind, name, field)]),
  ),
  ...kind.fields,
});

function attributeField({ name: kind }: LinkedPostKind, name: string, field: z.ZodType): z.ZodType {
  const translated: readonly string[] = LINKED_KINDS[kind].translatedAttributes;
  return translated.includes(name) ? translatable(field) : field;
}

/** Output of the schemas of `writeFields`; only the kind knows the types of its own fields. */
export const asLinkedPostInput = (input: Readonly<Record<string, unknown>>): LinkedPostInput =>
  input as LinkedPostInput;
