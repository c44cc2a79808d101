// <marquee-events category="jazz" limit="5"></marquee-events>: events of the site that this script comes from.
{
  const origin = new URL(document.currentScript.src).origin;

  /** Attributes of the element, and the parameters of the calendar that they are. */
  const PARAMETERS = {
    category: 'categories',
    tag: 'tags',
    venue: 'venue',
    organizer: 'organizer',
    search: 'search',
    limit: 'limit',
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
      };
      addEventListener('message', this.listen);
    }

    disconnectedCallback() {
      removeEventListener('message', this.listen);
    }

    address() {
      const event = this.getAttribute('event');
      const language = this.getAttribute('language');
      const prefix = language ? `/${encodeURIComponent(language)}` : '';
      if (event) return `${origin}${prefix}/embed/event/${encodeURIComponent(event)}/`;
      const query = new URLSearchParams();
      for (const [attribute, name] of Object.entries(PARAMETERS)) {
        const value = this.getAttribute(attribute);
        if (value) query.set(name, value);
      }
      return `${origin}${prefix}/embed/events/?${query}`;
    }
  }

  if (!customElements.get('marquee-events')) customElements.define('marquee-events', MarqueeEvents);
}
