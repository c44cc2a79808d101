import type { AddressWordInput } from '../../../../packages/client/src/marquee-client.ts';
import { zonesWith } from '../../i18n/formats.ts';
import { SelectField, Switch, TextField } from '../../ui/fields.tsx';
import { LockedField } from './fields.tsx';
import { t } from './routes.ts';
import { AddButton, RowsField } from './rows-field.tsx';
import { ServerSettings } from './server-settings.tsx';
import { type EditedSite, SettingsPage, SiteForm } from './settings-page.tsx';
import { calendarKind } from './site-kinds.ts';

type Fields = ReturnType<typeof calendarKind.fieldsOf>;
type AddressWord = Fields['address_words'][number];
type Target = AddressWordInput['to'];

const labelOf = (name: string): string => t(`field.${name as 'address_words'}`);

function show(name: string, value: unknown): string {
  if (name === 'timezone') return String(value);
  if (name === 'collapse_series') return t(value === true ? 'series.once' : 'series.all');
  return (value as AddressWord[]).map(({ from, to }) => `/${from}/ → /${to}/`).join(', ');
}

/** Time zone, lists and maps of the calendar, and redirects from former addresses. */
export function Screen() {
  return (
    <SettingsPage name="calendar">
      <SiteForm kind={calendarKind} labelOf={labelOf} show={show}>
        {(edited) => (
          <div className="settings-form">
            <Zone edited={edited} />
            <ServerSettings
              title={t('section.lists')}
              names={['MARQUEE_PER_PAGE', 'MARQUEE_GEO_RADIUS', 'MARQUEE_MAP_TILES']}
            />
            <Series edited={edited} />
            <FormerAddresses edited={edited} />
          </div>
        )}
      </SiteForm>
    </SettingsPage>
  );
}

function Zone({ edited: { record, field } }: { edited: EditedSite<Fields> }) {
  const label = labelOf('timezone');
  const { value, onChange, problem } = field('timezone');
  return (
    <section className="form-section" aria-labelledby="zone">
      <h2 id="zone">{t('section.times')}</h2>
      {record.fixed.includes('timezone') ? (
        <LockedField label={label} value={value} variable="MARQUEE_TIMEZONE" />
      ) : (
        <SelectField
          label={label}
          value={value}
          onChange={onChange}
          problem={problem}
          hint={t('hint.timezone')}
          choices={zonesWith(value)}
        />
      )}
    </section>
  );
}

/** Whether public lists have each event of a series. */
function Series({ edited: { field } }: { edited: EditedSite<Fields> }) {
  const { value, onChange } = field('collapse_series');
  return (
    <section className="form-section" aria-labelledby="series">
      <h2 id="series">{labelOf('collapse_series')}</h2>
      <Switch isSelected={value} onChange={onChange}>
        {t('series.collapse')}
      </Switch>
      <p className="hint">{t('hint.collapse_series')}</p>
    </section>
  );
}

const MOST = 50;

/** Pages to which a former address can redirect. */
const TARGETS: readonly Target[] = [
  ...(['event', 'events', 'events/list', 'events/month', 'events/week', 'events/today', 'events/photo'] as const),
  ...(['events/places', 'events/past', 'events/featured', 'events/category', 'events/tag'] as const),
  ...(['venue', 'organizer', 'tag'] as const),
];

function FormerAddresses({ edited: { field } }: { edited: EditedSite<Fields> }) {
  const { value, onChange, problem } = field('address_words');
  const add = () => onChange([...value, { from: '', to: 'event' }]);
  return (
    <section className="form-section" aria-label={labelOf('address_words')}>
      <RowsField<AddressWord>
        label={labelOf('address_words')}
        hint={t('hint.address_words')}
        value={value}
        onChange={onChange}
        problem={problem}
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
