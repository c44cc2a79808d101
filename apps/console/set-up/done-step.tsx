import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSite } from '../frame/account.ts';
import './set-up.css';
import { t } from './texts.ts';

/** Where to go from here. */
export function DoneStep() {
  const { url } = useSite();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="form-section" aria-labelledby="step">
      <h2 id="step" ref={heading} tabIndex={-1}>
        {t('done')}
      </h2>
      <ul className="set-up-links">
        <li>
          <a href={url}>{t('done.page')}</a>
        </li>
        <li>
          <Link to="/settings/embeds">{t('done.embed')}</Link>
        </li>
        <li>
          <Link to="/keys">{t('done.door')}</Link>
        </li>
        <li>
          <Link to="/">{t('done.console')}</Link>
        </li>
      </ul>
    </section>
  );
}
