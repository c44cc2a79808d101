import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../shared/screen/page.tsx';
import { AttendeeExport, AttendeeList } from './attendee-list.tsx';
import { t } from './routes.ts';

const route = getRouteApi('/attendees');

/** The attendees of all events. */
export function Screen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t('attendees')} actions={<AttendeeExport filters={filters} />}>
      <AttendeeList
        filters={filters}
        onFilters={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      />
    </Page>
  );
}
