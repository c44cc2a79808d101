import './console.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { setMessageLanguage, setOnSignedOut } from '../client/call.ts';
import { router } from './app/routes.ts';
import { meQuery, siteQuery } from './data/account.ts';
import { queries, refresh } from './data/queries.ts';
import { language, loadTexts } from './i18n/texts.ts';

document.documentElement.lang = language;
setMessageLanguage(language);
setOnSignedOut(() => void refresh('/admin/v1/me'));
// Read while the texts and the first screen are loaded.
void queries.prefetchQuery(meQuery);
void queries.prefetchQuery(siteQuery);
await loadTexts();

const element = document.getElementById('console');
if (element)
  createRoot(element).render(
    <StrictMode>
      <I18nProvider locale={language}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
