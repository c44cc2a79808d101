import type { ImageUses } from '../../../../packages/client/src/marquee-client.ts';

/** In how many places a picture is shown, as far as the account may see them. */
export const placesOf = ({ total, is_logo, is_in_site_texts }: ImageUses): number =>
  total + Number(is_logo) + Number(is_in_site_texts);
