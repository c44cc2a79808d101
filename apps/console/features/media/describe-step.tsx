import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { languageName } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { languagesWithoutAlt } from './media-texts.ts';
import { t } from './routes.ts';

interface DescribeStepProps {
  picture: Media;
  /** Language being edited; others may be completed along the way. */
  language: string;
  left: number;
  /** Whether the next picture is being read. */
  isWaiting: boolean;
  onSkip: () => void;
}

/** A picture with a field for each language without alternative text. */
export function DescribeStep({ picture, language, left, isWaiting, onSkip }: DescribeStepProps) {
  const { languages } = useSite();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const others = languagesWithoutAlt(picture, languages).filter((one) => one !== language);
  const fieldOf = (one: string) => ({
    lang: one,
    value: texts[one] ?? '',
    maxLength: MAX_LENGTH,
    onChange: (text: string) => setTexts((now) => ({ ...now, [one]: text })),
  });
  // The language that is edited comes last, since its text removes the picture from the list.
  const save = useAction(() => saveTexts(picture, texts, [...others, language]), {
    onSuccess: (saved) => toast(t('walk.saved', { title: picture.title }), { undo: () => removeTexts(picture, saved) }),
    onSettled: () => refresh('/admin/v1/media'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWaiting && texts[language]?.trim()) save.run();
  };
  return (
    <Form className="form walk" onSubmit={submit}>
      <img src={picture.url} alt={picture.title} />
      <p className="soft">{[t('walk.left', { count: left }), picture.title].join(' · ')}</p>
      {picture.alt && <p>{t('walk.elsewhere', { text: picture.alt })}</p>}
      <TextField label={t('field.alt')} hint={t('alt.hint')} autoFocus isRequired {...fieldOf(language)} />
      {others.map((one) => (
        <TextField key={one} label={t('walk.also', { language: languageName(one) })} {...fieldOf(one)} />
      ))}
      <FormProblem error={save.error} />
      <div className="actions">
        <Button onPress={onSkip}>{t('walk.skip')}</Button>
        <Button type="submit" look="primary">
          {t('walk.save')}
        </Button>
      </div>
    </Form>
  );
}

/** Maximum length that the server accepts. */
const MAX_LENGTH = 2000;

interface Saved {
  languages: readonly string[];
  revision: number | undefined;
}

/** Saves the texts that were entered, each from the revision that the one before made. */
async function saveTexts(
  { id, revision }: Media,
  texts: Readonly<Record<string, string>>,
  wanted: readonly string[],
): Promise<Saved> {
  const languages = wanted.filter((language) => texts[language]?.trim());
  let from = revision;
  for (const language of languages) {
    const alt = texts[language]?.trim() ?? '';
    from = (await call('PATCH /admin/v1/media/{id}', { id, alt }, { language, revision: from })).revision;
  }
  return { languages, revision: from };
}

/** Removes the saved texts unless the picture has changed since. */
async function removeTexts({ id }: Media, { languages, revision }: Saved): Promise<void> {
  let from = revision;
  try {
    for (const language of languages)
      from = (await call('PATCH /admin/v1/media/{id}', { id, alt: null }, { language, revision: from })).revision;
  } finally {
    await refresh('/admin/v1/media');
  }
}
