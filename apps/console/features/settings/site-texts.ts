/** The settings of the site that have a text in each language. */
export const SITE_TEXTS = ['name', 'tagline', 'about', 'terms', 'privacy', 'legal_links', 'payment_ways'] as const;
