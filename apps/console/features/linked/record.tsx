import { useMatch, useNavigate, useParams } from '@tanstack/react-router';
import { type EditedRecord, useRecord } from '../../shared/record/use-record.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { type Kind, kindAt, type Linked, SCREENS, type TextName } from './kinds.ts';
import { LinkedPage, Section, TextSection } from './linked-page.tsx';
import { type TextFields, textKind } from './record-kinds.ts';
import { t } from './routes.ts';

/** Form of one record of a kind that has texts and a picture only. */
export function Screen() {
  // The location already names the next screen during a navigation; the matched route does not.
  const kind = kindAt(useMatch({ strict: false }).routeId);
  const id = Number(useParams({ strict: false }).id);
  const navigate = useNavigate();
  return (
    <LinkedPage
      key={`${kind} ${id}`}
      kind={kind}
      found={useRecord(textKind(kind), id)}
      onLeave={() => void navigate({ to: `/${kind}` })}
      form={(edited) => <TextForm kind={kind} edited={edited} />}
    />
  );
}

/** Input types of some members. */
const TYPES: Readonly<Partial<Record<TextName, 'tel' | 'email' | 'url'>>> = {
  phone: 'tel',
  email: 'email',
  website: 'url',
};

const ORGANIZER_TYPES = ['organization', 'person'] as const;

function TextForm({ kind, edited: { field } }: { kind: Kind; edited: EditedRecord<Linked, TextFields> }) {
  const [title, ...others] = SCREENS[kind].texts;
  return (
    <>
      <Section name="contact">
        {title !== undefined && title !== 'image' && (
          <TextField label={t(`field.${title}`)} {...field(title)} isRequired />
        )}
        {others.map((name) =>
          name === 'organizer_type' ? (
            <SelectField
              key={name}
              label={t(`field.${name}`)}
              {...field(name)}
              value={field(name).value || 'organization'}
              choices={ORGANIZER_TYPES.map((value) => ({ value, label: t(`organizer_type.${value}`) }))}
            />
          ) : (
            name !== 'image' && (
              <TextField
                key={name}
                label={t(`field.${name}`)}
                {...field(name)}
                {...(TYPES[name] && { type: TYPES[name] })}
                {...(name === 'email' && { hint: t('email.hint') })}
              />
            )
          ),
        )}
      </Section>
      <TextSection description={field('description')} image={field('image')} />
    </>
  );
}
