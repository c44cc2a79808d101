import { type ReactNode, useState } from 'react';
import { call } from '../../../../client/call.ts';
import { useSite } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
import { contentLanguage } from '../../../data/content-language.ts';
import { FORM_TEXTS } from '../../../data/event-texts.ts';
import { refresh } from '../../../data/queries.ts';
import { peopleOf } from '../../../shared/events/people.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { t } from '../repeat/repeat-field.tsx';
import { t as eventText } from '../routes.ts';
import { consequenceOf } from './consequence.ts';
import { type EditedEvent, labelOf } from './editor-section.tsx';
import { type EventFields, eventKind } from './event-kind.ts';
import { hasHolders } from './holders-dialog.tsx';

/** Fields that an event has changed for itself, and takes from its series again. */

type Name = keyof EventFields & string;

/** Fields of the form by the names of the server, if these differ; the mark is at the first. */
const IN_FORM: Readonly<Record<string, readonly [Name, ...Name[]]>> = {
  times: ['start_date', 'end_date', 'all_day', 'timezone'],
  category: ['categories'],
  tag: ['tags'],
  author_id: ['author'],
  image_id: ['image'],
  password: ['post_password'],
};

const inForm = (own: string): readonly [Name, ...Name[]] => IN_FORM[own] ?? [own as Name];

const TEXTS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'event_status_reason',
  ...FORM_TEXTS.map(({ name }) => name),
]);

/** Own fields that the form shows in a language. Names of texts in others than the first end with the language. */
const shownIn = (owned: readonly string[], language: string | undefined, first: string | undefined): string[] =>
  owned.filter((name) => (name.includes('@') ? name.endsWith(`@${language}`) : language === first || !TEXTS.has(name)));

/** The edited event, with a mark at each field of its own; and a question before a change that ticket holders notice. */
export function useOwnFields(edited: EditedEvent): { edited: EditedEvent; question: ReactNode } {
  const { record, values } = edited;
  const { languages } = useSite();
  const [asked, setAsked] = useState<string>();
  const owned = record.series?.own_fields ?? [];
  const shown = shownIn(owned, contentLanguage() ?? languages[0], languages[0]);
  const byField = new Map(shown.map((own) => [nameOf(own), own]));
  const take = useAction((own: string) => takeFromSeries(edited, own), {
    onError: toastProblem,
    onSettled: () => refresh('/events/v1/'),
  });
  const reset = (own: string) => {
    setAsked(undefined);
    take.run(own);
  };
  const press = (own: string) => {
    const isNoticed = own === 'event_status' || consequenceOf(inForm(own), values) !== undefined;
    return isNoticed && hasHolders(record) ? setAsked(own) : reset(own);
  };
  const field: EditedEvent['field'] = (name) => {
    const own = byField.get(name);
    return { ...edited.field(name), ...(own && { mark: <OwnMark own={own} onPress={() => press(own)} /> }) };
  };
  const question = asked && (
    <ConfirmDialog
      title={t('own.title', { label: labelOfOwn(asked) })}
      action={t('own.act')}
      onConfirm={() => reset(asked)}
      onClose={() => setAsked(undefined)}
    >
      <p>{eventText('acts.holders', { count: peopleOf(record) })}</p>
      <p>{t('held.text')}</p>
    </ConfirmDialog>
  );
  return { edited: { ...edited, field }, question };
}

/** Field of the form that has the mark of an own field. */
const nameOf = (own: string): Name => inForm(own.split('@')[0] ?? own)[0];

const labelOfOwn = (own: string): string => (own === 'times' ? t('field.times') : labelOf(nameOf(own)));

function OwnMark({ own, onPress }: { own: string; onPress: () => void }) {
  return (
    <span className="own-mark">
      {t('own')}{' '}
      <Button
        look="plain"
        icon="undo"
        aria-label={t('own.reset', { label: labelOfOwn(own) })}
        onPress={({ target }) => {
          focusField(target);
          onPress();
        }}
      >
        {t('own.act')}
      </Button>
    </span>
  );
}

/** Keeps the focus at the field: its mark disappears. */
function focusField(pressed: Element): void {
  const mark = pressed.closest('.own-mark');
  const frame = mark?.closest('.field, .choice-box') ?? mark?.previousElementSibling;
  frame?.querySelector<HTMLElement>('input, select, textarea, [contenteditable], button')?.focus();
}

/** Gives a field the value of the series, and offers to undo that. */
async function takeFromSeries({ record, field }: EditedEvent, own: string): Promise<void> {
  const { id, revision, series } = record;
  const former = eventKind.fieldsOf(record);
  const names = inForm(own.split('@')[0] ?? own);
  // Unsaved changes of the field are discarded.
  for (const name of names) field(name).onChange(former[name]);
  const own_fields = (series?.own_fields ?? []).filter((name) => name !== own);
  const language = contentLanguage();
  const options = { ...(language !== undefined && { language }), ...(revision !== undefined && { revision }) };
  const written = await call('PATCH /events/v1/events/{id}', { id, own_fields }, options);
  const patch = Object.fromEntries(names.map((name) => [name, former[name]]));
  const undo = async () => {
    await eventKind.write(id, patch, { ...options, revision: written.revision ?? 0 });
    await refresh('/events/v1/');
  };
  toast(t('own.done', { label: labelOfOwn(own) }), own === 'password' ? {} : { undo });
}
