import { type FormEvent, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useSite } from '../../data/account.ts';
import { refresh } from '../../data/queries.ts';
import { languageName } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { languagesWithoutAlt } from './gaps.ts';
import { t } from './routes.ts';

interface DescribeStepProps {
  picture: Media;
  /** The one whose texts are gone through; others may be filled in on the way. */
  language: string;
  left: number;
  /** Whether the next picture is being read. */
  isWaiting: boolean;
  onSkip: () => void;
}

/** A picture with a field for each language in which it has no alternative text. */
export function DescribeStep({ picture, language, left, isWaiting, onSkip }: DescribeStepProps) {
  const { languages } = useSite();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<unknown>();
  const isSaving = useRef(false);
  const others = languagesWithoutAlt(picture, languages).filter((one) => one !== language);
  const fieldOf = (one: string) => ({
    ...{ lang: one, value: texts[one] ?? '', maxLength: MAX_LENGTH },
    onChange: (text: string) => setTexts((now) => ({ ...now, [one]: text })),
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving.current || isWaiting || !texts[language]?.trim()) return;
    isSaving.current = true;
    setError(undefined);
    try {
      // The text that takes the picture from the list comes last: until all are saved, nothing that was typed goes.
      const saved = await saveTexts(picture, texts, [...others, language]);
      toast(t('walk.saved', { title: picture.title }), { undo: () => removeTexts(picture, saved) });
    } catch (caught) {
      setError(caught);
    }
    await refresh('/admin/v1/media');
    isSaving.current = false;
  };
  return (
    <Form className="form walk" onSubmit={(event) => void save(event)}>
      <img src={picture.url} alt={picture.title} />
      <p className="soft">{[t('walk.left', { count: left }), picture.title].join(' · ')}</p>
      {picture.alt && <p>{t('walk.elsewhere', { text: picture.alt })}</p>}
      <TextField label={t('field.alt')} hint={t('alt.hint')} autoFocus isRequired {...fieldOf(language)} />
      {others.map((one) => (
        <TextField key={one} label={t('walk.also', { language: languageName(one) })} {...fieldOf(one)} />
      ))}
      {error !== undefined && <FormProblem error={error} />}
      <div className="actions">
        <Button onPress={onSkip}>{t('walk.skip')}</Button>
        <Button type="submit" look="primary">
          {t('walk.save')}
        </Button>
      </div>
    </Form>
  );
}

/** What the server takes. */
const MAX_LENGTH = 2000;

interface Saved {
  languages: readonly string[];
  revision: number | undefined;
}

/** Saves the texts that are there, each from the revision of the one before. */
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

/** Removes the texts again that were saved, unless somebody has changed the picture since. */
async function removeTexts({ id }: Media, { languages, revision }: Saved): Promise<void> {
  let from = revision;
  try {
    for (const language of languages)
      from = (await call('PATCH /admin/v1/media/{id}', { id, alt: null }, { language, revision: from })).revision;
  } finally {
    await refresh('/admin/v1/media');
  }
}
