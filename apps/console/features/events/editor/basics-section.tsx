import { zonesWith } from '../../../i18n/site-choices.ts';
import { MomentField, SelectField } from '../../../ui/native-field.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { t } from '../routes.ts';
import { type EditedEvent, EditorSection, labelOf } from './editor-section.tsx';

const STATUSES = ['scheduled', 'cancelled', 'postponed', 'rescheduled', 'moved_online'] as const;

/** What the event is, when, and whether it takes place as announced. */
export function BasicsSection({ edited: { values, field } }: { edited: EditedEvent }) {
  const allDay = field('all_day');
  return (
    <EditorSection name="basics">
      <TextField label={labelOf('title')} {...field('title')} isRequired />
      <div className="form-row">
        <MomentField label={labelOf('start_date')} {...field('start_date')} isDay={values.all_day} />
        <MomentField label={labelOf('end_date')} {...field('end_date')} isDay={values.all_day} />
      </div>
      <Switch isSelected={allDay.value} onChange={allDay.onChange}>
        {labelOf('all_day')}
      </Switch>
      <div className="form-row">
        <SelectField label={labelOf('timezone')} {...field('timezone')} choices={zonesWith(values.timezone)} />
        <SelectField
          label={labelOf('event_status')}
          {...field('event_status')}
          choices={STATUSES.map((value) => ({ value, label: t(`event_status.${value}`) }))}
        />
      </div>
      {values.event_status !== 'scheduled' && (
        <TextField
          label={labelOf('event_status_reason')}
          {...field('event_status_reason')}
          hint={t('acts.note_hint')}
          rows={2}
        />
      )}
    </EditorSection>
  );
}
