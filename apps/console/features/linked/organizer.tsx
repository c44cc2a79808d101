import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Organizer } from '../../../../packages/client/src/marquee-client.ts';
import { PictureField } from '../../shared/pictures/picture-field.tsx';
import { type EditedRecord, useRecord } from '../../shared/record/use-record.ts';
import { TextField } from '../../ui/fields.tsx';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { LinkedList } from './linked-list.tsx';
import { LinkedPage, Section } from './linked-page.tsx';
import { type OrganizerFields, organizerKind } from './record-kinds.ts';
import { t } from './routes.ts';

const route = getRouteApi('/organizers/$id');

/** One organizer in a form. */
export function Screen() {
  const id = Number(route.useParams().id);
  const navigate = useNavigate();
  return (
    <LinkedPage
      key={id}
      kind="organizers"
      found={useRecord(organizerKind, id)}
      onLeave={() => void navigate({ to: '/organizers' })}
      form={(edited) => <OrganizerForm edited={edited} />}
    />
  );
}

function OrganizerForm({ edited: { field } }: { edited: EditedRecord<Organizer, OrganizerFields> }) {
  return (
    <>
      <Section name="contact">
        <TextField label={t('field.organizer')} {...field('organizer')} isRequired />
        <TextField label={t('field.phone')} {...field('phone')} type="tel" />
        <TextField label={t('field.email')} {...field('email')} type="email" hint={t('email.hint')} />
        <TextField label={t('field.website')} {...field('website')} type="url" />
      </Section>
      <Section name="text">
        <RichText label={t('field.description')} {...field('description')} />
        <PictureField label={t('field.image')} {...field('image')} />
      </Section>
    </>
  );
}

const listRoute = getRouteApi('/organizers');

/** The organizers of the site. */
export function Organizers() {
  const navigate = listRoute.useNavigate();
  return (
    <LinkedList
      kind="organizers"
      shown={listRoute.useSearch()}
      onShow={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      onOpen={(id) => void navigate({ to: '/organizers/$id', params: { id: String(id) } })}
    />
  );
}
