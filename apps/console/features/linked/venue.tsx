import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Venue } from '../../../../packages/client/src/marquee-client.ts';
import { type EditedRecord, useRecord } from '../../shared/record/use-record.ts';
import { Switch, TextField } from '../../ui/fields.tsx';
import { CoordinatesField } from './coordinates-field.tsx';
import { LinkedPage, Section, TextSection } from './linked-page.tsx';
import { type VenueFields, venueKind } from './record-kinds.ts';
import { t } from './routes.ts';

const route = getRouteApi('/venues/$id');

/** One venue in a form. */
export function Screen() {
  const id = Number(route.useParams().id);
  const navigate = useNavigate();
  return (
    <LinkedPage
      key={id}
      kind="venues"
      found={useRecord(venueKind, id)}
      onLeave={() => void navigate({ to: '/venues' })}
      form={(edited) => <VenueForm edited={edited} />}
    />
  );
}

function VenueForm({ edited: { field } }: { edited: EditedRecord<Venue, VenueFields> }) {
  const [map, link] = [field('show_map'), field('show_map_link')];
  return (
    <>
      <Section name="place">
        <TextField label={t('field.venue')} {...field('venue')} isRequired />
        <TextField label={t('field.address')} {...field('address')} />
        <div className="form-row">
          <TextField label={t('field.zip')} {...field('zip')} />
          <TextField label={t('field.city')} {...field('city')} />
        </div>
        <div className="form-row">
          <TextField label={t('field.region')} {...field('region')} />
          <TextField label={t('field.country')} {...field('country')} />
        </div>
      </Section>
      <Section name="map">
        <CoordinatesField {...field('coordinates')} />
        <Switch isSelected={map.value} onChange={map.onChange}>
          {t('field.show_map')}
        </Switch>
        <Switch isSelected={link.value} onChange={link.onChange}>
          {t('field.show_map_link')}
        </Switch>
      </Section>
      <Section name="contact">
        <TextField label={t('field.phone')} {...field('phone')} type="tel" />
        <TextField label={t('field.website')} {...field('website')} type="url" />
      </Section>
      <TextSection description={field('description')} image={field('image')} />
    </>
  );
}
