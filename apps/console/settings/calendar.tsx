import type { AddressWordInput } from '../../../packages/client/src/marquee-client.ts';
import { SelectField } from '../parts/native-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { AddButton, RowsField } from './rows-field.tsx';
import { ServerSettings } from './server-settings.tsx';
import { SettingsPage } from './settings-page.tsx';
import { type EditedSite, SiteForm } from './site-form.tsx';
import { calendarKind } from './site-kinds.ts';
import { t } from './texts.ts';

type AddressWord = ReturnType<typeof calendarKind.fieldsOf>['address_words'][number];
type Target = AddressWordInput['to'];

const labelOf = (name: string): string => t(`field.${name as 'address_words'}`);

const show = (_name: string, value: unknown): string =>
  (value as AddressWord[]).map(({ from, to }) => `/${from}/ → /${to}/`).join(', ');

/** Zone, lists and maps of the calendar, and the addresses of the site that was there before. */
export function Screen() {
  return (
    <SettingsPage name="calendar">
      <SiteForm kind={calendarKind} labelOf={labelOf} show={show}>
        {(edited) => (
          <div className="settings-form">
            <ServerSettings
              title={t('section.times')}
              names={['MARQUEE_TIMEZONE', 'MARQUEE_PER_PAGE', 'MARQUEE_GEO_RADIUS', 'MARQUEE_MAP_TILES']}
              values={{ MARQUEE_TIMEZONE: edited.record.timezone }}
            />
            <FormerAddresses edited={edited} />
          </div>
        )}
      </SiteForm>
    </SettingsPage>
  );
}

const MOST = 50;

/** The pages that a former address can lead to. */
const TARGETS: readonly Target[] = [
  ...(['event', 'events', 'events/list', 'events/month', 'events/week', 'events/today', 'events/photo'] as const),
  ...(['events/places', 'events/past', 'events/featured', 'events/category', 'events/tag'] as const),
  ...(['venue', 'organizer', 'tag'] as const),
];

function FormerAddresses({ edited: { field } }: { edited: EditedSite<{ address_words: AddressWord[] }> }) {
  const { value, onChange, problem } = field('address_words');
  const add = () => onChange([...value, { from: '', to: 'event' }]);
  return (
    <section className="form-section" aria-label={labelOf('address_words')}>
      <RowsField<AddressWord>
        label={labelOf('address_words')}
        hint={t('hint.address_words')}
        {...{ value, onChange, problem }}
        nameOf={({ from }) => from}
        actions={value.length < MOST && <AddButton onAdd={add}>{t('words.add')}</AddButton>}
      >
        {({ from, to }, change) => (
          <>
            <TextField
              label={t('words.from')}
              value={from}
              onChange={(next) => change({ from: next })}
              placeholder="veranstaltung"
              maxLength={200}
            />
            <SelectField
              label={t('words.to')}
              value={to}
              onChange={(next) => change({ to: next })}
              choices={TARGETS.map((target) => ({ value: target, label: `/${target}/` }))}
            />
          </>
        )}
      </RowsField>
    </section>
  );
}
