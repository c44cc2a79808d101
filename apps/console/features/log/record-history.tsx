import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../shared/screen/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { History, historyQuery } from './history.tsx';
import { KINDS, type Kind } from './kinds.ts';
import { t } from './routes.ts';
import { recordName } from './words.ts';

const route = getRouteApi('/history/$kind/$id');

/** Who changed a record of any kind. */
export function Screen() {
  const { kind: named, id } = route.useParams();
  const kind = KINDS.find((one) => one === named);
  if (!kind || !/^[1-9]\d{0,8}$/.test(id)) {
    return (
      <Page title={t('history')}>
        <Empty icon="log" text={t('history.none')} />
      </Page>
    );
  }
  return <RecordHistory kind={kind} id={Number(id)} />;
}

function RecordHistory({ kind, id }: { kind: Kind; id: number }) {
  const navigate = route.useNavigate();
  const opened = route.useSearch();
  const { data } = useQuery(historyQuery(kind, id, opened.page));
  const name = recordName({ kind, title: data?.audit[0]?.title ?? '', record_id: id });
  return (
    <Page title={t('history')} note={name}>
      <History
        kind={kind}
        id={id}
        opened={opened}
        onOpen={(next) => void navigate({ search: (now) => ({ ...now, ...next }) })}
      />
    </Page>
  );
}
