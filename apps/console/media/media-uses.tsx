import { Link } from '@tanstack/react-router';
import type { ImageUses } from '../../../packages/client/src/marquee-client.ts';
import { Failure } from '../parts/states.tsx';
import { t } from './texts.ts';

interface UsesProps {
  uses: ImageUses | undefined;
  error: Error | null;
}

/** What shows a picture. */
export function Uses({ uses, error }: UsesProps) {
  if (error) return <Failure error={error} />;
  if (!uses) return null;
  const { total, used_by, is_logo, is_in_site_texts } = uses;
  return (
    <section aria-labelledby="uses">
      <h3 id="uses">{t('uses')}</h3>
      {total === 0 && !is_logo && !is_in_site_texts && <p className="soft">{t('uses.none')}</p>}
      <ul className="media-uses">
        {is_logo && <li>{t('uses.logo')}</li>}
        {is_in_site_texts && <li>{t('uses.site')}</li>}
        {used_by.map(({ kind, id, title }) => (
          <li key={`${kind} ${id}`}>
            <UseLink kind={kind} id={id} title={title} />
          </li>
        ))}
      </ul>
      {total > used_by.length && <p className="soft">{t('uses.more', { count: total - used_by.length })}</p>}
    </section>
  );
}

const SCREENS = { event: '/events/$id', venue: '/venues/$id', organizer: '/organizers/$id' } as const;
const hasScreen = (kind: string): kind is keyof typeof SCREENS => Object.hasOwn(SCREENS, kind);

/** Terms are edited in their lists. */
function UseLink({ kind, id, title }: Pick<ImageUses['used_by'][number], 'kind' | 'id' | 'title'>) {
  if (!hasScreen(kind)) return title;
  return (
    <Link to={SCREENS[kind]} params={{ id: String(id) }}>
      {title}
    </Link>
  );
}
