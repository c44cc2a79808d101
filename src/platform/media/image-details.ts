import type { Database } from '../../db/database.ts';
import { updateUnlessEdited } from '../../db/guarded-update.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { clearable, decimal, field, text, translatable } from '../../http/input/schemas.ts';
import { isRecord } from '../../lib/text/list.ts';
import { fold, plainText } from '../../lib/text/text.ts';
import { logChange } from '../audit/log.ts';
import { applyTexts, changedTranslations, type PreviousTexts, type RecordTexts } from '../translations/rules.ts';
import { findTranslations, saveTranslations } from '../translations/store.ts';
import { auditedImage } from './audited.ts';
import { withImageKeys } from './image-names.ts';
import { CENTRE } from './image-storage.ts';
import { getImage } from './images.ts';

/** Editable details of an image: title, alternative text in each language, and focus point. */

const percent = decimal('', { min: 0, max: 100 });
const PERCENT = { type: 'number', minimum: 0, maximum: 100 };

const FOCUS = {
  type: 'object',
  description:
    'Focal point, which stays visible when the image is cropped, in per cent from the left and from the top.',
  properties: { x: PERCENT, y: PERCENT },
  required: ['x', 'y'],
  default: { x: 50, y: 50 },
};

function readFocus(sent: unknown): Focus | undefined {
  if (!isRecord(sent)) return undefined;
  const [x, y] = [percent.safeParse(sent.x), percent.safeParse(sent.y)];
  return x.success && y.success ? { x: x.data, y: y.data } : undefined;
}

/** Fields of a multipart form are texts. */
const FOCUS_TEXT = {
  type: 'string',
  maxLength: 100,
  description: `${FOCUS.description} JSON, or two fields \`focus[x]\` and \`focus[y]\`.`,
  examples: ['{"x": 50, "y": 50}'],
};

function readFocusText(sent: unknown): Focus | undefined {
  if (typeof sent !== 'string') return readFocus(sent);
  try {
    return readFocus(JSON.parse(sent));
  } catch {
    return undefined;
  }
}

/** The parameters of a write. */
export const detailFields = {
  title: clearable(text('Title; defaults to the file name. Plain text.', { max: 500 })),
  alt: translatable(clearable(text('Alternative text, which describes the image. Plain text.', { max: 2000 }))),
  focus: clearable(field(FOCUS, 'param.focus', readFocus)),
};

/** The parameters of an upload. */
export const uploadFields = { ...detailFields, focus: clearable(field(FOCUS_TEXT, 'param.focus', readFocusText)) };

interface Focus {
  x: number;
  y: number;
}

/** Absent: unchanged. null: no title, no text, the centre. */
export interface DetailInput {
  title?: string | null;
  alt?: string | null;
  focus?: Focus | null;
}

/** Columns and texts of an image after a write; `before` is absent for a new image. */
export function detailsAfter(input: DetailInput, ctx: RequestContext, before?: PreviousTexts & { record: MediaTable }) {
  const texts = applyTexts('media', input, { ctx, before });
  const columns = {
    title: input.title === undefined ? (before?.record.title ?? '') : plainText(input.title ?? ''),
    alt: texts.own.alt ?? '',
    ...focusAfter(input.focus, before?.record ?? CENTRE),
  };
  return { columns, texts };
}

function focusAfter(sent: DetailInput['focus'], { focus_x, focus_y }: typeof CENTRE): typeof CENTRE {
  if (sent === undefined) return { focus_x, focus_y };
  return sent ? { focus_x: sent.x, focus_y: sent.y } : CENTRE;
}

/** Replaces the translations of an image, whose own text is in the first language. */
export const saveImageTexts = (db: Database, id: number, { own, translations }: RecordTexts): Promise<void> =>
  saveTranslations(
    db,
    { kind: 'media', id },
    // Images are not sorted by name; the key is for searches.
    { own, translations, keysOf: ({ alt = '' }) => ({ name_key: fold(alt), search_text: '' }) },
  );

/**
 * Changes the details of an image and returns its row.
 * @throws {ApiError} media-not-found if it has been removed meanwhile
 * @throws {OutdatedRevision}
 */
export const updateDetails = (ctx: RequestContext, id: number, input: DetailInput): Promise<MediaTable> =>
  ctx.context.db.transaction(async (db) => {
    await db.dialect.lock(db, `media-${id}`);
    const record = await getImage(db, id);
    checkRevision(ctx, record);
    const translations = await findTranslations(db, { kind: 'media', id });
    const { columns, texts } = detailsAfter(input, ctx, { record, translations });
    const { title_key, search_text } = withImageKeys({ ...record, ...columns });
    await logChange(db, ctx.actor, { kind: auditedImage, id }, async () => {
      await updateUnlessEdited(db, 'media', record, { ...columns, title_key, search_text });
      if (changedTranslations(texts, translations).translations) await saveImageTexts(db, id, texts);
    });
    return getImage(db, id);
  });
