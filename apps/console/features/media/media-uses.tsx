import { Link } from '@tanstack/react-router';
import type { ImageUses } from '../../../../packages/client/src/marquee-client.ts';
import { LINKED_KINDS, perLinkedKind } from '../../../../src/lib/linked-kinds.ts';
import { Failure } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface UsesProps {
  uses: ImageUses | undefined;
  error: Error | null;
}

/** Uses of a picture. */
export function Uses({ uses, error }: UsesProps) {
  if (error) return <Failure error={error} />;
  if (!uses) return null;
  const { total, used_by, is_logo, is_in_site_texts } = uses;
  return (
    <section aria-labelledby="uses">
      <h3 id="uses">{t('uses')}</h3>
      {placesOf(uses) === 0 && <p className="soft">{t('uses.none')}</p>}
      <ul className="media-uses">
        {is_logo && <li>{t('uses.logo')}</li>}
        {is_in_site_texts && <li>{t('uses.site')}</li>}
        {used_by.map((use) => (
          <li key={`${use.kind} ${use.id}`}>
            <UseLink use={use} /> <span className="soft">{t(`kind.${use.kind as 'event'}`)}</span>
          </li>
        ))}
      </ul>
      {total > used_by.length && <p className="soft">{t('uses.more', { count: total - used_by.length })}</p>}
    </section>
  );
}

const SCREENS = {
  event: '/events/$id',
  ...perLinkedKind((kind) => `/${LINKED_KINDS[kind].plural}/$id` as const),
} as const;
const LISTS = { category: '/categories', tag: '/tags' } as const;
const isIn = <T extends object>(table: T, kind: string): kind is keyof T & string => Object.hasOwn(table, kind);

/** Link to the screen of a record; terms are edited in their lists. */
function UseLink({ use: { kind, id, title } }: { use: ImageUses['used_by'][number] }) {
  if (isIn(SCREENS, kind))
    return (
      <Link to={SCREENS[kind]} params={{ id: String(id) }}>
        {title}
      </Link>
    );
  if (isIn(LISTS, kind))
    return (
      <Link to={LISTS[kind]} search={{ open: id }}>
        {title}
      </Link>
    );
  return title;
}

/** Number of uses of a picture that the account may see. */
export const placesOf = ({ total, is_logo, is_in_site_texts }: ImageUses): number =>
  total + Number(is_logo) + Number(is_in_site_texts);
