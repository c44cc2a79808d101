// <marquee-events category="jazz" limit="5" theme="light"></marquee-events>: events of the site that this script comes from.
// `view="month"` shows a month of them, `event="SLUG"` a single one.
{
  const origin = new URL(document.currentScript.src).origin;

  /** Attributes of the element, with the parameters of the calendar that they set. */
  const PARAMETERS = {
    category: 'categories',
    tag: 'tags',
    venue: 'venue',
    organizer: 'organizer',
    search: 'search',
    limit: 'limit',
    theme: 'theme',
    language: 'language',
  };

  class MarqueeEvents extends HTMLElement {
    connectedCallback() {
      const frame = document.createElement('iframe');
      frame.src = this.address();
      frame.title = this.getAttribute('title') ?? 'Events';
      frame.loading = 'lazy';
      Object.assign(frame.style, { width: '100%', height: '400px', border: '0' });
      this.replaceChildren(frame);
      this.listen = ({ source, origin: sender, data }) => {
        if (source !== frame.contentWindow || sender !== origin || data?.type !== 'marquee-height') return;
        frame.style.height = `${Math.min(Number(data.height) || 400, 20_000)}px`;
        // The title of the page is in its language.
        if (!this.hasAttribute('title') && typeof data.title === 'string') frame.title = data.title;
      };
      addEventListener('message', this.listen);
    }

    disconnectedCallback() {
      removeEventListener('message', this.listen);
    }

    address() {
      const event = this.getAttribute('event');
      const query = new URLSearchParams();
      for (const [attribute, name] of Object.entries(PARAMETERS)) {
        const value = this.getAttribute(attribute);
        if (value) query.set(name, value);
      }
      const list = this.getAttribute('view') === 'month' ? 'month' : 'events';
      return `${origin}/embed/${event ? `event/${encodeURIComponent(event)}` : list}/?${query}`;
    }
  }

  if (!customElements.get('marquee-events')) customElements.define('marquee-events', MarqueeEvents);
}
