import { Button as AriaButton } from 'react-aria-components/Button';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useMe, useSignOut, useSite } from '../data/account.ts';
import { chooseContentLanguage, useContentLanguage } from '../data/content-language.ts';
import { queries } from '../data/queries.ts';
import { languageTitle } from '../i18n/formats.ts';
import { changeLanguage, LANGUAGES, language as ownLanguage, t } from '../i18n/texts.ts';
import { useGo } from '../shared/screen/screen.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { openPalette } from './palette-host.tsx';
import { showShortcuts } from './shortcut-host.tsx';

/** Search, content language, help and account. */
export function TopBar() {
  return (
    <div className="top-bar">
      <AriaButton className="top-search" onPress={openPalette} aria-keyshortcuts="Control+K">
        <Icon name="search" />
        <span>{t('top.search')}</span>
        <kbd>Ctrl K</kbd>
      </AriaButton>
      <ContentLanguage />
      <IconButton icon="help" label={t('top.help')} onPress={showShortcuts} />
      <AccountMenu />
    </div>
  );
}

/** Menu of the content language, on sites with several languages. */
function ContentLanguage() {
  const { languages } = useSite();
  const current = useContentLanguage() ?? '';
  if (languages.length < 2) return null;
  const choose = (code: string) => {
    chooseContentLanguage(code);
    void queries.invalidateQueries();
  };
  return (
    <MenuTrigger>
      <AriaButton className="top-button">
        <Icon name="translate" />
        <span className="visually-hidden">{t('top.content_language')}</span>
        <span>{current.toUpperCase()}</span>
      </AriaButton>
      <Popover className="popover" placement="bottom end">
        <Menu
          className="menu"
          aria-label={t('top.content_language')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[current]}
          onAction={(code) => choose(String(code))}
        >
          {languages.map((code) => (
            <MenuItem key={code} id={code} textValue={languageTitle(code)} className="menu-item">
              <Icon name="check" />
              <span>{languageTitle(code)}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function AccountMenu() {
  const { username, role } = useMe();
  const go = useGo();
  const signOut = useSignOut();
  const act = (key: string) => {
    if (key === 'account') go('/account');
    else if (key === 'sign-out') signOut();
    else changeLanguage(key as keyof typeof LANGUAGES);
  };
  return (
    <MenuTrigger>
      <AriaButton className="top-button" aria-label={t('top.account', { name: username })}>
        <Icon name="person" />
        <span className="top-name">{username}</span>
      </AriaButton>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={t('top.account', { name: username })} onAction={(key) => act(String(key))}>
          <MenuSection selectionMode="single" disallowEmptySelection selectedKeys={[ownLanguage]}>
            <Header className="menu-header">
              {username}
              <small>{t(`role.${role}`)}</small>
            </Header>
            {Object.entries(LANGUAGES).map(([code, name]) => (
              <MenuItem key={code} id={code} textValue={name} className="menu-item">
                <Icon name="check" />
                <span lang={code}>{name}</span>
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection aria-label={t('top.session')}>
            <MenuItem id="account" textValue={t('top.own_account')} className="menu-item">
              <Icon name="person" />
              <span>{t('top.own_account')}</span>
            </MenuItem>
            <MenuItem id="sign-out" textValue={t('sign_out')} className="menu-item">
              <Icon name="lock" />
              <span>{t('sign_out')}</span>
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
