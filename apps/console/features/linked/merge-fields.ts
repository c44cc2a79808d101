import type { Venue } from '../../../../packages/client/src/marquee-client.ts';
import type { MergeField } from '../../shared/merging/merge-choices.ts';
import { coordinatesText } from './coordinates.ts';
import { type Kind, type Linked, SCREENS, type TextName, textOf } from './kinds.ts';
import { pictureChange, regionChange } from './record-kinds.ts';
import { t } from './routes.ts';

/** Text of a member, or the word for its value; empty if it is absent. */
export function shownText(record: Linked, name: TextName): string {
  const text = textOf(record, name);
  return name === 'organizer_type' && text !== '' ? t(`organizer_type.${text as 'person'}`) : text;
}

const textField = (name: TextName): MergeField<Linked> => ({
  name,
  label: t(`field.${name}`),
  valueOf: (record) => ({ [name]: textOf(record, name) || null }),
  show: (record) => shownText(record, name),
});

const region = (): MergeField<Linked> => ({
  name: 'region',
  label: t('field.region'),
  valueOf: (record) => regionChange(textOf(record, 'stateprovince')),
  show: (record) => textOf(record, 'stateprovince'),
});

const pointOf = (record: Linked) => {
  const { geo_lat: lat, geo_lng: lng } = record as Partial<Venue>;
  return lat === undefined || lng === undefined ? undefined : { lat, lng };
};

const coordinates = (): MergeField<Linked> => ({
  name: 'coordinates',
  label: t('field.coordinates'),
  valueOf(record) {
    const point = pointOf(record);
    return { geo_lat: point?.lat ?? null, geo_lng: point?.lng ?? null };
  },
  show(record) {
    const point = pointOf(record);
    return point ? coordinatesText(point) : '';
  },
});

/** The words of a description, without its markup. */
const wordsOf = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent.trim().slice(0, 200);

const description = (): MergeField<Linked> => ({
  name: 'description',
  label: t('field.description'),
  valueOf: (record) => ({ description: record.description ?? null }),
  show: (record) => wordsOf(record.description ?? ''),
});

const picture = (): MergeField<Linked> => ({
  name: 'image',
  label: t('field.image'),
  valueOf: ({ image }) => pictureChange(image),
  show: ({ image }) => image?.url.split('/').at(-1) ?? '',
});

/** Fields that may differ between the records of a merge. */
export const mergeFields = (kind: Kind): MergeField<Linked>[] => [
  ...SCREENS[kind].texts.map(textField),
  ...(kind === 'venues' ? [region(), coordinates()] : []),
  description(),
  picture(),
];
