import type { RawBuilder, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { AddProblem, Fields } from '../../http/core/endpoint.ts';
import { clearable, filledText, text, translatable, withDefault } from '../../http/input/schemas.ts';
import { LINKED_KINDS, type LinkedKind } from '../../lib/linked-kinds.ts';
import type { Image } from '../../platform/media/images.ts';
import { type PostInput, postFields } from '../posts/post.ts';
import type { LinkedPost } from './store.ts';

/** Columns that a kind may use besides the shared ones. */
export type ExtraColumns = Pick<LinkedPost, 'show_map' | 'show_map_link' | 'geo_lat' | 'geo_lng'>;

/** A list filter of one kind; `where` gets the validated value of `field`. */
interface OwnFilter {
  field: z.ZodType;
  where(value: unknown, db: Database): RawBuilder<SqlBool>;
}

/** Definition of a kind of linked post. */
export interface LinkedPostKind {
  name: LinkedKind;
  /** Last segment of the routes, and key of the list. */
  plural: string;
  /** Text attributes, in the order of responses. */
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
  /** Schema of a response, created by `linkedPostSchema`. */
  schema: z.ZodType;
  /** Attributes shown in responses, including derived ones. */
  derive?(attributes: LinkedPost['attributes']): Record<string, string>;
  /** Members after the attributes, omitted if empty. */
  extra?(post: LinkedPost): Record<string, unknown>;
  /** Members that are always present. */
  always?(post: LinkedPost): Record<string, unknown>;
  /** Renders schema.org data. */
  jsonLd(post: LinkedPost, image: Image | undefined): Record<string, unknown>;
  inEvents: {
    /** schema.org property for the first linked post. */
    jsonLdProperty: string;
    /** Whether an event shows a single linked post as an object instead of a list of one. */
    isUnwrapped?: boolean;
  };
  /**
   * Values that calendars show as the location of events, if the kind is a location: changing them increments
   * `ical_sequence` of the events.
   */
  placeOf?(post: Pick<LinkedPost, 'title' | 'attributes' | 'geo_lat' | 'geo_lng'>): readonly unknown[];
  /** Attributes, alone or in combination, that only duplicates are likely to share. */
  identifying: readonly (readonly string[])[];
  /** Keys of `meta` in `wp/v2`, with the field of each. */
  metaKeys: Readonly<Record<string, string>>;
}

/** A validated write: the shared fields, the name as `venue` or the like, and the attributes. */
export type LinkedPostInput = PostInput & { description?: string | null } & Readonly<Record<string, unknown>>;

/** A text attribute of one line. */
export const attributeLine = (description: string) => withDefault(clearable(text(description, { max: 500 })), null);

/** Whether two web addresses are the same in normal form: `https://a.example` and `https://A.example/`. */
export const isSameWebsite = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.parse(one)?.href === URL.parse(other)?.href;

/** Fields of a write and of an inline object in an event. */
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
