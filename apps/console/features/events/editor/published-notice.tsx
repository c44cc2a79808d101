import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { useMe, useSite } from '../../../data/account.ts';
import { mayManageTickets } from '../../../data/post-rights.ts';
import { useGo } from '../../../shared/screen/screen.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { CopyButton } from '../../../ui/secret.tsx';
import { t } from '../routes.ts';
import type { EditorSectionName } from './editor-section.tsx';

type Addable = Extract<EditorSectionName, 'place' | 'text' | 'picture' | 'sorting' | 'people'>;

/** Parts of an event that readers look for, and which a new one may lack. */
function missingIn(event: Event): Addable[] {
  const lacks: readonly [Addable, boolean][] = [
    ['place', [event.venue].flat().length === 0 && event.website === ''],
    ['text', event.description === ''],
    ['picture', !event.image],
    ['sorting', event.categories.length === 0],
    ['people', event.organizer.length === 0],
  ];
  return lacks.flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}

const focusSection = (name: EditorSectionName): void => document.getElementById(name)?.focus();

/** Notice after the publication of an event: its address, ways to share it, and links to missing parts. */
export function PublishedNotice({ event, onClose }: { event: Event; onClose: () => void }) {
  const { url, title } = event;
  return (
    <section className="form-section published" aria-labelledby="published">
      <header className="published-head">
        <h2 id="published">{t('new.done.publish')}</h2>
        <IconButton icon="close" label={t('published.close')} onPress={onClose} />
      </header>
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </p>
      <div className="actions">
        <CopyButton text={url} label={t('published.copy')} />
        <ShareButton url={url} title={title} />
        <Button icon="edit" onPress={() => focusSection('basics')}>
          {t('published.edit')}
        </Button>
      </div>
      <h3>{t('published.add')}</h3>
      <Parts event={event} />
    </section>
  );
}

/** Links to the missing parts of the event, and to another new event. */
function Parts({ event }: { event: Event }) {
  const go = useGo();
  const isTranslated = useSite().languages.length > 1;
  const lacksTickets = mayManageTickets(useMe(), event) && !event.ticketed;
  return (
    <ul className="published-parts">
      {missingIn(event).map((name) => (
        <li key={name}>
          <Button icon="plus" look="plain" onPress={() => focusSection(name)}>
            {t(`published.add.${name}`)}
          </Button>
        </li>
      ))}
      {lacksTickets && (
        <li>
          <Button icon="ticket" look="plain" onPress={() => go(`/events/${event.id}/tickets`)}>
            {t('tickets.add')}
          </Button>
        </li>
      )}
      {isTranslated && (
        <li>
          <Button icon="translate" look="plain" onPress={() => go(`/events/${event.id}/translations`)}>
            {t('published.add.translations')}
          </Button>
        </li>
      )}
      <li>
        <Button icon="events" look="plain" onPress={() => go('/events/new')}>
          {t('published.another')}
        </Button>
      </li>
    </ul>
  );
}

/** Shares by the device, or by e-mail where it has no such function. */
function ShareButton({ url, title }: { url: string; title: string }) {
  if ('share' in navigator)
    return (
      // A rejection means that the user cancelled.
      <Button icon="link" onPress={() => void navigator.share({ url, title }).catch(() => undefined)}>
        {t('published.share')}
      </Button>
    );
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`;
  return (
    <a className="button" href={mail}>
      <Icon name="link" />
      {t('published.share_mail')}
    </a>
  );
}
