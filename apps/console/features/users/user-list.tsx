import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '../../../../packages/client/src/marquee-client.ts';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { t as commonText } from '../../i18n/texts.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Empty } from '../../ui/states.tsx';
import { type DataColumn, DataTable } from '../../ui/table/data-table.tsx';
import { FilterBar, SearchBox } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { Invite } from './invite.tsx';
import { ROLES, type Role, t } from './routes.ts';

const route = getRouteApi('/users');

const PER_PAGE = 25;

const columns = (): DataColumn<User>[] => [
  { id: 'name', label: t('name'), render: ({ username }) => <span className="row-title">{username}</span> },
  { id: 'email', label: t('email'), render: ({ email }) => <span className="soft">{email}</span> },
  { id: 'role', label: t('role'), render: ({ role }) => commonText(`role.${role}`) },
  {
    id: 'seen',
    label: t('seen'),
    render: ({ last_seen_utc }) =>
      last_seen_utc ? when.ago(last_seen_utc) : <span className="soft">{t('never')}</span>,
  },
];

/** Accounts of the site. */
export function Screen() {
  const { role, search = '', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const mayInvite = useRight('manage_users');
  const [isInviting, setInviting] = useState(false);
  const input = { page, per_page: PER_PAGE, ...(role && { role }), ...(search && { search }) };
  const list = useQuery(read('GET /admin/v1/users', input, { keepsPrevious: true }));
  const show = (next: { role?: Role | undefined; search?: string; page?: number }) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
  return (
    <Page
      title={t('title')}
      actions={
        mayInvite && (
          <Button look="primary" icon="plus" onPress={() => setInviting(true)}>
            {t('invite')}
          </Button>
        )
      }
    >
      <FilterBar>
        <SelectField
          label={t('role')}
          value={role ?? ''}
          onChange={(next) => show({ role: ROLES.find((one) => one === next) })}
          choices={[
            { value: '', label: t('every_role') },
            ...ROLES.map((value) => ({ value, label: commonText(`role.${value}`) })),
          ]}
        />
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next })} />
      </FilterBar>
      <PagedList
        query={list}
        empty={<Empty text={t('none')} icon="person" />}
        page={page}
        onPage={(next) => show({ page: next })}
      >
        {(data) => (
          <DataTable
            label={t('title')}
            columns={columns()}
            rows={data.users}
            onOpen={({ id }) => void navigate({ to: '/users/$id', params: { id: String(id) } })}
          />
        )}
      </PagedList>
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </Page>
  );
}
