// Generated from openapi.json by `npm run openapi`.
/** Input and answer of each operation, by its method and path. */
export interface Operations {
    /** List the routes of this namespace */
    "GET /events/v1": {
        input: {
            /** Name of the namespace to describe; this one by default. */
            namespace?: string;
            /** Accepted for compatibility. */
            context?: string;
        };
        answer: Index;
    };
    /** Describe this namespace as OpenAPI 3.1 */
    "GET /events/v1/doc": {
        input: Record<string, never>;
        answer: Document;
    };
    /** List events by start */
    "GET /events/v1/events": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Events that start on this day or later. */
            start_date?: string;
            /** Events that end on this day or earlier. */
            end_date?: string;
            /** Events that start on this day or earlier. */
            starts_before?: string;
            /** Events that start later than this day. */
            starts_after?: string;
            /** Events that end before the last second of this day. */
            ends_before?: string;
            /** Events that end later than this day; `now` for ongoing and upcoming events. */
            ends_after?: string;
            /** Treat the dates above as exact times instead of whole days. */
            strict_dates?: boolean;
            /** Words that must all occur in title, description or excerpt. */
            search?: string;
            /** Ids, slugs or names; includes events of their subcategories. */
            categories?: (number | string)[];
            /** Ids, slugs or names. */
            tags?: (number | string)[];
            /** Ids or slugs of venues. */
            venue?: (number | string)[];
            /** Ids or slugs of organizers. */
            organizer?: (number | string)[];
            /** true: featured only; false: others only. */
            featured?: boolean;
            /** Only events with one of these statuses. */
            event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online")[];
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
            /** true: only events at a venue with coordinates; false: only others. */
            geoloc?: boolean;
            /** Latitude of the point to search around. Requires `geoloc_lng`. */
            geoloc_lat?: number;
            /** Longitude of the point to search around. Requires `geoloc_lat`. */
            geoloc_lng?: number;
            /** Only these events, whatever their dates. */
            include?: number[];
            /** Only events that are part of this event. */
            post_parent?: number;
            /** Only events of this author, by the id of the account. */
            author?: number;
            /** Only the occurrences of this series. Ignored under `/wp-json/tribe`. */
            series?: number;
            /** true: only events with tickets; false: only others. */
            ticketed?: boolean;
            /** true: only events whose `cost` is free; false: only others. Ignored under `/wp-json/tribe`. */
            free?: boolean;
            /** Reveals events protected by this password. */
            password?: string;
            /** Only events without any text in this language. For users who may edit. */
            missing_language?: string;
            /**
             * `series`: list each series once, by its first event that matches. Ignored under `/wp-json/tribe`.
             * @enum {string}
             */
            collapse?: "series";
            /**
             * Order of start: `asc` or `desc`. Ignored with another `orderby` and under `/wp-json/tribe`.
             * @enum {string}
             */
            order?: "asc" | "desc";
            /** `start_date`: lists are always sorted by start. Other values have no effect. */
            orderby?: string;
        };
        answer: EventList;
    };
    /** Create an event */
    "POST /events/v1/events": {
        input: EventInput;
        answer: Event;
    };
    /** Read an event */
    "GET /events/v1/events/{id}": {
        input: {
            /** Id of the event. */
            id: number;
            /** Password of the event, if it has one. */
            password?: string;
        };
        answer: Event;
    };
    /** Change an event */
    "PATCH /events/v1/events/{id}": {
        input: {
            /** Id of the event. */
            id: number;
        } & EventChange;
        answer: Event;
    };
    /** Move an event to the trash */
    "DELETE /events/v1/events/{id}": {
        input: {
            /** Id of the event. */
            id: number;
            /** Password of the event, if it has one. */
            password?: string;
            /** Delete it permanently instead. */
            force?: boolean;
            /**
             * Of an occurrence of a series: `this` (by default) for it alone, `following` for it and later ones, `all` for all that are to come. Ignored under `/wp-json/tribe`.
             * @enum {string}
             */
            scope?: "this" | "following" | "all";
            /** true: also move, cancel or remove events of the series for which there are tickets, or places in carts. */
            confirm_holders?: boolean;
        };
        answer: Event;
    };
    /** Read an event */
    "GET /events/v1/events/by-slug/{slug}": {
        input: {
            /** Slug of the event. */
            slug: string;
            /** Password of the event, if it has one. */
            password?: string;
        };
        answer: Event;
    };
    /** Change an event */
    "PATCH /events/v1/events/by-slug/{slug}": {
        input: {
            /** Slug of the event. */
            slug: string;
        } & EventChange;
        answer: Event;
    };
    /** Move an event to the trash */
    "DELETE /events/v1/events/by-slug/{slug}": {
        input: {
            /** Slug of the event. */
            slug: string;
            /** Password of the event, if it has one. */
            password?: string;
            /** Delete it permanently instead. */
            force?: boolean;
            /**
             * Of an occurrence of a series: `this` (by default) for it alone, `following` for it and later ones, `all` for all that are to come. Ignored under `/wp-json/tribe`.
             * @enum {string}
             */
            scope?: "this" | "following" | "all";
            /** true: also move, cancel or remove events of the series for which there are tickets, or places in carts. */
            confirm_holders?: boolean;
        };
        answer: Event;
    };
    /** List the series with events that the user may see */
    "GET /events/v1/series": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
        };
        answer: SeriesList;
    };
    /** Create a series of events */
    "POST /events/v1/series": {
        input: SeriesCreate;
        answer: SeriesPreview | Series;
    };
    /** Read a series */
    "GET /events/v1/series/{id}": {
        input: {
            /** Id of the series. */
            id: number;
        };
        answer: Series;
    };
    /** Change the dates of a series, or restore it */
    "PATCH /events/v1/series/{id}": {
        input: {
            /** Id of the series. */
            id: number;
        } & SeriesUpdate;
        answer: Series | SeriesPreview;
    };
    /** End a series and move its coming events to the trash */
    "DELETE /events/v1/series/{id}": {
        input: {
            /** Id of the series. */
            id: number;
            /** true: also remove dates for which there are tickets, or places in carts. */
            confirm_holders?: boolean;
        };
        answer: Series;
    };
    /** List the events of a series by start */
    "GET /events/v1/series/{id}/occurrences": {
        input: {
            /** Id of the series. */
            id: number;
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** true: only events that are not over. */
            upcoming?: boolean;
        };
        answer: OccurrenceList;
    };
    /** Subscribe to events as iCalendar */
    "GET /events/v1/events.ics": {
        input: {
            /** Events that start on this day or later. */
            start_date?: string;
            /** Events that end on this day or earlier. */
            end_date?: string;
            /** Events that start on this day or earlier. */
            starts_before?: string;
            /** Events that start later than this day. */
            starts_after?: string;
            /** Events that end before the last second of this day. */
            ends_before?: string;
            /** Events that end later than this day; `now` for ongoing and upcoming events. */
            ends_after?: string;
            /** Treat the dates above as exact times instead of whole days. */
            strict_dates?: boolean;
            /** Words that must all occur in title, description or excerpt. */
            search?: string;
            /** Ids, slugs or names; includes events of their subcategories. */
            categories?: (number | string)[];
            /** Ids, slugs or names. */
            tags?: (number | string)[];
            /** Ids or slugs of venues. */
            venue?: (number | string)[];
            /** Ids or slugs of organizers. */
            organizer?: (number | string)[];
            /** true: featured only; false: others only. */
            featured?: boolean;
            /** Only events with one of these statuses. */
            event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online")[];
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
            /** true: only events at a venue with coordinates; false: only others. */
            geoloc?: boolean;
            /** Latitude of the point to search around. Requires `geoloc_lng`. */
            geoloc_lat?: number;
            /** Longitude of the point to search around. Requires `geoloc_lat`. */
            geoloc_lng?: number;
            /** Only these events, whatever their dates. */
            include?: number[];
            /** Only events that are part of this event. */
            post_parent?: number;
            /** Only events of this author, by the id of the account. */
            author?: number;
            /** Only the occurrences of this series. Ignored under `/wp-json/tribe`. */
            series?: number;
            /** true: only events with tickets; false: only others. */
            ticketed?: boolean;
            /** true: only events whose `cost` is free; false: only others. Ignored under `/wp-json/tribe`. */
            free?: boolean;
            /** Reveals events protected by this password. */
            password?: string;
            /**
             * How a cancelled event is marked: `title` for programs that drop entries with that status.
             * @enum {string}
             */
            cancelled?: "status" | "title";
        };
        /** The feed. */
        answer: string;
    };
    /** Read the latest events as RSS */
    "GET /events/v1/events.rss": {
        input: {
            /** Events that start on this day or later. */
            start_date?: string;
            /** Events that end on this day or earlier. */
            end_date?: string;
            /** Events that start on this day or earlier. */
            starts_before?: string;
            /** Events that start later than this day. */
            starts_after?: string;
            /** Events that end before the last second of this day. */
            ends_before?: string;
            /** Events that end later than this day; `now` for ongoing and upcoming events. */
            ends_after?: string;
            /** Treat the dates above as exact times instead of whole days. */
            strict_dates?: boolean;
            /** Words that must all occur in title, description or excerpt. */
            search?: string;
            /** Ids, slugs or names; includes events of their subcategories. */
            categories?: (number | string)[];
            /** Ids, slugs or names. */
            tags?: (number | string)[];
            /** Ids or slugs of venues. */
            venue?: (number | string)[];
            /** Ids or slugs of organizers. */
            organizer?: (number | string)[];
            /** true: featured only; false: others only. */
            featured?: boolean;
            /** Only events with one of these statuses. */
            event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online")[];
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
            /** true: only events at a venue with coordinates; false: only others. */
            geoloc?: boolean;
            /** Latitude of the point to search around. Requires `geoloc_lng`. */
            geoloc_lat?: number;
            /** Longitude of the point to search around. Requires `geoloc_lat`. */
            geoloc_lng?: number;
            /** Only these events, whatever their dates. */
            include?: number[];
            /** Only events that are part of this event. */
            post_parent?: number;
            /** Only events of this author, by the id of the account. */
            author?: number;
            /** Only the occurrences of this series. Ignored under `/wp-json/tribe`. */
            series?: number;
            /** true: only events with tickets; false: only others. */
            ticketed?: boolean;
            /** true: only events whose `cost` is free; false: only others. Ignored under `/wp-json/tribe`. */
            free?: boolean;
            /** Reveals events protected by this password. */
            password?: string;
            /**
             * How a cancelled event is marked: `title` for programs that drop entries with that status.
             * @enum {string}
             */
            cancelled?: "status" | "title";
        };
        /** The feed. */
        answer: string;
    };
    /** Read the latest events as Atom */
    "GET /events/v1/events.atom": {
        input: {
            /** Events that start on this day or later. */
            start_date?: string;
            /** Events that end on this day or earlier. */
            end_date?: string;
            /** Events that start on this day or earlier. */
            starts_before?: string;
            /** Events that start later than this day. */
            starts_after?: string;
            /** Events that end before the last second of this day. */
            ends_before?: string;
            /** Events that end later than this day; `now` for ongoing and upcoming events. */
            ends_after?: string;
            /** Treat the dates above as exact times instead of whole days. */
            strict_dates?: boolean;
            /** Words that must all occur in title, description or excerpt. */
            search?: string;
            /** Ids, slugs or names; includes events of their subcategories. */
            categories?: (number | string)[];
            /** Ids, slugs or names. */
            tags?: (number | string)[];
            /** Ids or slugs of venues. */
            venue?: (number | string)[];
            /** Ids or slugs of organizers. */
            organizer?: (number | string)[];
            /** true: featured only; false: others only. */
            featured?: boolean;
            /** Only events with one of these statuses. */
            event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online")[];
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
            /** true: only events at a venue with coordinates; false: only others. */
            geoloc?: boolean;
            /** Latitude of the point to search around. Requires `geoloc_lng`. */
            geoloc_lat?: number;
            /** Longitude of the point to search around. Requires `geoloc_lat`. */
            geoloc_lng?: number;
            /** Only these events, whatever their dates. */
            include?: number[];
            /** Only events that are part of this event. */
            post_parent?: number;
            /** Only events of this author, by the id of the account. */
            author?: number;
            /** Only the occurrences of this series. Ignored under `/wp-json/tribe`. */
            series?: number;
            /** true: only events with tickets; false: only others. */
            ticketed?: boolean;
            /** true: only events whose `cost` is free; false: only others. Ignored under `/wp-json/tribe`. */
            free?: boolean;
            /** Reveals events protected by this password. */
            password?: string;
            /**
             * How a cancelled event is marked: `title` for programs that drop entries with that status.
             * @enum {string}
             */
            cancelled?: "status" | "title";
        };
        /** The feed. */
        answer: string;
    };
    /** Read the latest events as JSON Feed */
    "GET /events/v1/events.feed.json": {
        input: {
            /** Events that start on this day or later. */
            start_date?: string;
            /** Events that end on this day or earlier. */
            end_date?: string;
            /** Events that start on this day or earlier. */
            starts_before?: string;
            /** Events that start later than this day. */
            starts_after?: string;
            /** Events that end before the last second of this day. */
            ends_before?: string;
            /** Events that end later than this day; `now` for ongoing and upcoming events. */
            ends_after?: string;
            /** Treat the dates above as exact times instead of whole days. */
            strict_dates?: boolean;
            /** Words that must all occur in title, description or excerpt. */
            search?: string;
            /** Ids, slugs or names; includes events of their subcategories. */
            categories?: (number | string)[];
            /** Ids, slugs or names. */
            tags?: (number | string)[];
            /** Ids or slugs of venues. */
            venue?: (number | string)[];
            /** Ids or slugs of organizers. */
            organizer?: (number | string)[];
            /** true: featured only; false: others only. */
            featured?: boolean;
            /** Only events with one of these statuses. */
            event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online")[];
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
            /** true: only events at a venue with coordinates; false: only others. */
            geoloc?: boolean;
            /** Latitude of the point to search around. Requires `geoloc_lng`. */
            geoloc_lat?: number;
            /** Longitude of the point to search around. Requires `geoloc_lat`. */
            geoloc_lng?: number;
            /** Only these events, whatever their dates. */
            include?: number[];
            /** Only events that are part of this event. */
            post_parent?: number;
            /** Only events of this author, by the id of the account. */
            author?: number;
            /** Only the occurrences of this series. Ignored under `/wp-json/tribe`. */
            series?: number;
            /** true: only events with tickets; false: only others. */
            ticketed?: boolean;
            /** true: only events whose `cost` is free; false: only others. Ignored under `/wp-json/tribe`. */
            free?: boolean;
            /** Reveals events protected by this password. */
            password?: string;
            /**
             * How a cancelled event is marked: `title` for programs that drop entries with that status.
             * @enum {string}
             */
            cancelled?: "status" | "title";
        };
        /** The feed. */
        answer: string;
    };
    /** Add an event to a calendar as iCalendar */
    "GET /events/v1/events/{id}/event.ics": {
        input: {
            /** Id of the event. */
            id: number;
            /** Password of the event, if it has one. */
            password?: string;
            /**
             * How a cancelled event is marked: `title` for programs that drop entries with that status.
             * @enum {string}
             */
            cancelled?: "status" | "title";
        };
        /** The feed. */
        answer: string;
    };
    /** Add an event to a calendar as iCalendar */
    "GET /events/v1/events/by-slug/{slug}/event.ics": {
        input: {
            /** Slug of the event. */
            slug: string;
            /** Password of the event, if it has one. */
            password?: string;
            /**
             * How a cancelled event is marked: `title` for programs that drop entries with that status.
             * @enum {string}
             */
            cancelled?: "status" | "title";
        };
        /** The feed. */
        answer: string;
    };
    /** List venues by name */
    "GET /events/v1/venues": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must all occur in the name, the description or the other text fields. */
            search?: string;
            /** Only records linked to this event. */
            event?: number;
            /** true: only records with events; false: only records without. */
            has_events?: boolean;
            /** Only records with an event that has not started yet. */
            only_with_upcoming?: boolean;
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
        };
        answer: VenueList;
    };
    /** Create a venue */
    "POST /events/v1/venues": {
        input: VenueInput;
        answer: Venue;
    };
    /** Read a venue */
    "GET /events/v1/venues/{id}": {
        input: {
            /** Id of the venue. */
            id: number;
        };
        answer: Venue;
    };
    /** Change a venue */
    "PATCH /events/v1/venues/{id}": {
        input: {
            /** Id of the venue. */
            id: number;
        } & VenueChange;
        answer: Venue;
    };
    /** Move a venue to the trash */
    "DELETE /events/v1/venues/{id}": {
        input: {
            /** Id of the venue. */
            id: number;
            /** Delete it permanently instead. */
            force?: boolean;
        };
        answer: Venue;
    };
    /** Read a venue */
    "GET /events/v1/venues/by-slug/{slug}": {
        input: {
            /** Slug of the venue. */
            slug: string;
        };
        answer: Venue;
    };
    /** Change a venue */
    "PATCH /events/v1/venues/by-slug/{slug}": {
        input: {
            /** Slug of the venue. */
            slug: string;
        } & VenueChange;
        answer: Venue;
    };
    /** Move a venue to the trash */
    "DELETE /events/v1/venues/by-slug/{slug}": {
        input: {
            /** Slug of the venue. */
            slug: string;
            /** Delete it permanently instead. */
            force?: boolean;
        };
        answer: Venue;
    };
    /** List organizers by name */
    "GET /events/v1/organizers": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must all occur in the name, the description or the other text fields. */
            search?: string;
            /** Only records linked to this event. */
            event?: number;
            /** true: only records with events; false: only records without. */
            has_events?: boolean;
            /** Only records with an event that has not started yet. */
            only_with_upcoming?: boolean;
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
        };
        answer: OrganizerList;
    };
    /** Create an organizer */
    "POST /events/v1/organizers": {
        input: OrganizerInput;
        answer: Organizer;
    };
    /** Read an organizer */
    "GET /events/v1/organizers/{id}": {
        input: {
            /** Id of the organizer. */
            id: number;
        };
        answer: Organizer;
    };
    /** Change an organizer */
    "PATCH /events/v1/organizers/{id}": {
        input: {
            /** Id of the organizer. */
            id: number;
        } & OrganizerChange;
        answer: Organizer;
    };
    /** Move an organizer to the trash */
    "DELETE /events/v1/organizers/{id}": {
        input: {
            /** Id of the organizer. */
            id: number;
            /** Delete it permanently instead. */
            force?: boolean;
        };
        answer: Organizer;
    };
    /** Read an organizer */
    "GET /events/v1/organizers/by-slug/{slug}": {
        input: {
            /** Slug of the organizer. */
            slug: string;
        };
        answer: Organizer;
    };
    /** Change an organizer */
    "PATCH /events/v1/organizers/by-slug/{slug}": {
        input: {
            /** Slug of the organizer. */
            slug: string;
        } & OrganizerChange;
        answer: Organizer;
    };
    /** Move an organizer to the trash */
    "DELETE /events/v1/organizers/by-slug/{slug}": {
        input: {
            /** Slug of the organizer. */
            slug: string;
            /** Delete it permanently instead. */
            force?: boolean;
        };
        answer: Organizer;
    };
    /** List categories */
    "GET /events/v1/categories": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must occur in the name or the slug. */
            search?: string;
            /** Exclude these: ids, slugs or names. */
            exclude?: (number | string)[];
            /** Only these: ids, slugs or names. */
            include?: (number | string)[];
            /** `asc` (default) or `desc`. */
            order?: string;
            /** `name` (default), `id`, `slug`, `count`, `description` or `include`. */
            orderby?: string;
            /** Only terms of this event. */
            post?: number;
            /** Alias of `post`, which it overrides. */
            event?: number;
            /** Only the term with this slug. */
            slug?: string;
            /** Omit categories whose `count` is 0, unless a subcategory has events; true by default. */
            hide_empty?: boolean;
            /** Only children of this category: its id, slug or name; 0 for the top level. */
            parent?: number | string;
        };
        answer: CategoryList;
    };
    /** Create a category */
    "POST /events/v1/categories": {
        input: CategoryInput;
        answer: Term;
    };
    /** Read a category */
    "GET /events/v1/categories/{id}": {
        input: {
            /** Id of the term. */
            id: number;
        };
        answer: Term;
    };
    /** Change a category */
    "PATCH /events/v1/categories/{id}": {
        input: {
            /** Id of the term. */
            id: number;
        } & CategoryChange;
        answer: Term;
    };
    /** Delete a category permanently */
    "DELETE /events/v1/categories/{id}": {
        input: {
            /** Id of the term. */
            id: number;
        };
        answer: Term;
    };
    /** List tags */
    "GET /events/v1/tags": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must occur in the name or the slug. */
            search?: string;
            /** Exclude these: ids, slugs or names. */
            exclude?: (number | string)[];
            /** Only these: ids, slugs or names. */
            include?: (number | string)[];
            /** `asc` (default) or `desc`. */
            order?: string;
            /** `name` (default), `id`, `slug`, `count`, `description` or `include`. */
            orderby?: string;
            /** Only terms of this event. */
            post?: number;
            /** Alias of `post`, which it overrides. */
            event?: number;
            /** Only the term with this slug. */
            slug?: string;
            /** Omit tags whose `count` is 0; true by default. */
            hide_empty?: boolean;
            /** Ignored: tags have no parents. */
            parent?: number | string;
        };
        answer: TagList;
    };
    /** Create a tag */
    "POST /events/v1/tags": {
        input: TermInput;
        answer: Term;
    };
    /** Read a tag */
    "GET /events/v1/tags/{id}": {
        input: {
            /** Id of the term. */
            id: number;
        };
        answer: Term;
    };
    /** Change a tag */
    "PATCH /events/v1/tags/{id}": {
        input: {
            /** Id of the term. */
            id: number;
        } & TermChange;
        answer: Term;
    };
    /** Delete a tag permanently */
    "DELETE /events/v1/tags/{id}": {
        input: {
            /** Id of the term. */
            id: number;
        };
        answer: Term;
    };
    /** List the routes of this namespace */
    "GET /tickets/v1": {
        input: {
            /** Name of the namespace to describe; this one by default. */
            namespace?: string;
            /** Accepted for compatibility. */
            context?: string;
        };
        answer: Index;
    };
    /** Describe this namespace as OpenAPI 3.1 */
    "GET /tickets/v1/doc": {
        input: Record<string, never>;
        answer: Document;
    };
    /** List tickets */
    "GET /tickets/v1/tickets": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page. */
            per_page?: number;
            /** Number of items to skip before the first page. Totals still include them. */
            offset?: number;
            /** Words that must all occur in name or description. */
            search?: string;
            /**
             * Sort direction.
             * @enum {string}
             */
            order?: "ASC" | "DESC";
            /**
             * Field to sort by; `menu_order` is the order that the organizer gave the tickets of an event.
             * @enum {string}
             */
            orderby?: "id" | "include" | "title" | "slug" | "menu_order";
            /** true: only tickets with places left; false: only others. */
            is_available?: boolean;
            /** Only of these providers: `rsvp`, `tc`. Unknown names match nothing. */
            provider?: (number | string)[];
            /** Created at or after this time, UTC. */
            after?: string;
            /** Created at or before this time, UTC. */
            before?: string;
            /** Only these tickets. */
            include?: number[];
            /** Exclude these tickets. */
            exclude?: number[];
            /** Only tickets of these events. */
            include_post?: number[];
            /** Exclude tickets of these events. */
            exclude_post?: number[];
            /** At least this many attendees. For privileged users. */
            attendees_min?: number;
            /** At most this many attendees. For privileged users. */
            attendees_max?: number;
            /** At least this many attendees checked in. For privileged users. */
            checkedin_min?: number;
            /** At most this many attendees checked in. For privileged users. */
            checkedin_max?: number;
            /** At least this capacity, or no limit. */
            capacity_min?: number;
            /** At most this capacity. */
            capacity_max?: number;
            /** The sale begins at or after this time, UTC. */
            available_from?: string;
            /** The sale ends at or before this time, UTC. */
            available_until?: string;
            /** Publication status of the events; statuses that the user may not see match nothing. */
            post_status?: (number | string)[];
            /** Publication status of the tickets; statuses that the user may not see match nothing. */
            status?: (number | string)[];
            /** Currency codes; RSVPs have none. */
            currency?: (number | string)[];
            /** Accepted for compatibility; ignored. */
            attendee_information_available?: boolean;
            /** Reveals tickets of events with this password. */
            password?: string;
            /** Promotion code, which opens the hidden tickets that it names. */
            promotion?: string;
            /** true: only tickets that require a promotion code; false: only others. */
            requires_code?: boolean;
        };
        answer: TicketList;
    };
    /** Create a ticket for an event */
    "POST /tickets/v1/tickets": {
        input: TicketInput;
        answer: Ticket;
    };
    /** Read a ticket */
    "GET /tickets/v1/tickets/{id}": {
        input: {
            /** Id of the ticket. */
            id: number;
            /** Password of the event, if it has one. */
            password?: string;
            /** Promotion code, which opens the hidden tickets that it names. */
            promotion?: string;
        };
        answer: ShownTicket;
    };
    /** Change a ticket */
    "PATCH /tickets/v1/tickets/{id}": {
        input: {
            /** Id of the ticket. */
            id: number;
        } & TicketChange;
        answer: Ticket;
    };
    /** Delete a ticket */
    "DELETE /tickets/v1/tickets/{id}": {
        input: {
            /** Id of the ticket. */
            id: number;
            /** Event of the ticket. */
            post_id: number;
            /** One-time token. */
            remove_ticket_nonce: string;
            /**
             * Of an event in a series: `this` (by default) for the ticket of this event alone, `following` to repeat the write for those of later ones, `all` for those of all that are to come; ignored under `/wp-json/tribe`. Of a new ticket: `series` for a pass, a single ticket for all coming occurrences; a pass is always changed and deleted as a whole.
             * @enum {string}
             */
            scope?: "this" | "following" | "all" | "series";
        };
        /** @constant */
        answer: true;
    };
    /** List attendees */
    "GET /tickets/v1/attendees": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page. */
            per_page?: number;
            /** Providers of the tickets: `rsvp`, `tickets-commerce`. */
            provider?: (number | string)[];
            /** Words that must all occur in the name. */
            search?: string;
            /** Number of items to skip before the first page. Totals still include them. */
            offset?: number;
            /**
             * Sort direction.
             * @enum {string}
             */
            order?: "ASC" | "DESC";
            /**
             * Field to sort by.
             * @enum {string}
             */
            orderby?: "id" | "date" | "include" | "title" | "slug";
            /** Only attendees of this event. */
            post_id?: number;
            /** Only attendees of this ticket. */
            ticket_id?: number;
            /** Created at or after this time, UTC. */
            after?: string;
            /** Created at or before this time, UTC. */
            before?: string;
            /** Only these attendees. */
            include?: number[];
            /** Exclude these attendees. */
            exclude?: number[];
            /** Paid at least this amount. For privileged users. */
            price_min?: number;
            /** Paid at most this amount. For privileged users. */
            price_max?: number;
            /** Only attendees of these events; instead of `post_id`. */
            include_post?: number[];
            /** Exclude attendees of these events. */
            exclude_post?: number[];
            /** Only attendees of these tickets; instead of `ticket_id`. */
            include_ticket?: number[];
            /** Exclude attendees of these tickets. */
            exclude_ticket?: number[];
            /** Statuses of the events. Values other than `publish` are for privileged users. */
            post_status?: (number | string)[];
            /** `publish`, `trash`. Values other than `publish` are for privileged users. */
            status?: (number | string)[];
            /** RSVP answers and statuses of orders, or `public`, `private`, `any`. Values other than `public` are for privileged users. */
            order_status?: (number | string)[];
            /** Only attendees of this order. For privileged users. */
            order_id?: number;
            /** true: only attendees who are checked in; false: only others. For privileged users. */
            checkedin?: boolean;
            /** `yes`, `no`. Attendees of paid tickets always match. */
            rsvp_going_status?: (number | string)[];
            /** Whether the registration has answers. For privileged users. */
            attendee_information_available?: boolean;
            /** Part of the name. */
            name?: string;
            /** Part of the e-mail address. For privileged users. */
            email?: string;
        };
        answer: AttendeeList;
    };
    /** Create an attendee */
    "POST /tickets/v1/attendees": {
        input: AttendeeInput;
        answer: Attendee;
    };
    /** Read an attendee */
    "GET /tickets/v1/attendees/{id}": {
        input: {
            /** Id of the attendee. */
            id: number;
        };
        answer: Attendee;
    };
    /** Change an attendee, check in or out */
    "PATCH /tickets/v1/attendees/{id}": {
        input: {
            /** Id of the attendee. */
            id: number;
        } & AttendeeChange;
        answer: Attendee;
    };
    /** Read the cart */
    "GET /tickets/v1/cart": {
        input: {
            /** Only tickets of these providers; unknown names match nothing. */
            provider?: (number | string)[];
            /** Id of an event with tickets. */
            post_id?: number;
        };
        answer: Cart;
    };
    /** Add tickets to the cart, change quantities, remove tickets */
    "PATCH /tickets/v1/cart": {
        input: CartInput;
        answer: Cart;
    };
    /** Buy the content of the cart */
    "POST /tickets/v1/cart/checkout": {
        input: CheckoutInput;
        answer: Checkout;
    };
    /** Read an order, as its customer */
    "GET /tickets/v1/orders/{id}": {
        input: {
            /** Id of the order. */
            id: number;
        };
        answer: BuyersOrder;
    };
    /** Change names and e-mail addresses of an order, as its customer */
    "PATCH /tickets/v1/orders/{id}": {
        input: {
            /** Id of the order. */
            id: number;
        } & BuyersOrderChange;
        answer: BuyersOrder;
    };
    /** Pay an order at a payment service, as its customer */
    "POST /tickets/v1/orders/{id}/payments": {
        input: {
            /** Id of the order. */
            id: number;
        } & OrderPaymentInput;
        answer: CustomerPayment;
    };
    /** Ask the payment service whether an order is paid, as its customer */
    "POST /tickets/v1/orders/{id}/payments/check": {
        input: {
            /** Id of the order. */
            id: number;
        };
        answer: BuyersOrder;
    };
    /** Cancel an order, as its customer */
    "POST /tickets/v1/orders/{id}/cancel": {
        input: {
            /** Id of the order. */
            id: number;
        };
        answer: BuyersOrder;
    };
    /** Read an invoice or a credit note of an order, as its customer */
    "GET /tickets/v1/orders/{id}/invoices/{number}": {
        input: {
            /** Id of the order. */
            id: number;
            /** Number of the invoice, such as `2026-0001`. */
            number: string;
        };
        answer: Invoice;
    };
    /** Receive a webhook of a payment service */
    "POST /tickets/v1/gateways/{name}/webhook": {
        input: {
            /** Name of the gateway, such as `stripe`. Plain text. */
            name: string;
        };
        answer: ReceivedWebhook;
    };
    /** Read a ticket, as its holder */
    "GET /tickets/v1/attendees/{id}/ticket": {
        input: {
            /** Id of the attendee. */
            id: number;
            /** Security code of the ticket. */
            security_code?: string;
        };
        answer: HeldTicket;
    };
    /** Change the name on a ticket, as its holder */
    "PATCH /tickets/v1/attendees/{id}/ticket": {
        input: {
            /** Id of the attendee. */
            id: number;
        } & HeldTicketChange;
        answer: HeldTicket;
    };
    /** Transfer a ticket to another person, as its holder */
    "POST /tickets/v1/attendees/{id}/transfer": {
        input: {
            /** Id of the attendee. */
            id: number;
        } & TransferInput;
        answer: HeldTicket;
    };
    /** Get the tickets of an order as PDF */
    "GET /tickets/v1/orders/{id}/tickets.pdf": {
        input: {
            /** Id of the order. */
            id: number;
        };
        /** The document. */
        answer: string;
    };
    /** Get an invoice or a credit note of an order as PDF */
    "GET /tickets/v1/orders/{id}/invoices/{number}/invoice.pdf": {
        input: {
            /** Id of the order. */
            id: number;
            /** Number of the invoice, such as `2026-0001`. */
            number: string;
        };
        /** The document. */
        answer: string;
    };
    /** Get a ticket as PDF */
    "GET /tickets/v1/attendees/{id}/ticket.pdf": {
        input: {
            /** Id of the attendee. */
            id: number;
            /** Security code of the ticket. */
            security_code?: string;
        };
        /** The document. */
        answer: string;
    };
    /** Get a ticket for Apple Wallet */
    "GET /tickets/v1/attendees/{id}/ticket.pkpass": {
        input: {
            /** Id of the attendee. */
            id: number;
            /** Security code of the ticket. */
            security_code?: string;
        };
        /** The signed pass. */
        answer: string;
    };
    /** Get the link that adds a ticket to Google Wallet */
    "GET /tickets/v1/attendees/{id}/wallet/google": {
        input: {
            /** Id of the attendee. */
            id: number;
            /** Security code of the ticket. */
            security_code?: string;
        };
        answer: GoogleWallet;
    };
    /** Send the links to current orders to their address */
    "POST /tickets/v1/my-tickets": {
        input: MyTicketsInput;
        answer: MyTicketsAnswer;
    };
    /** RSVP to an event */
    "POST /tickets/v1/replies": {
        input: ReplyInput;
        answer: Reply;
    };
    /** Change the answer of an RSVP */
    "PATCH /tickets/v1/replies/{id}": {
        input: {
            /** Id of an attendee of the RSVP. */
            id: number;
        } & ReplyChange;
        answer: Reply;
    };
    /** Check in with a scanned code */
    "POST /tickets/v1/qr": {
        input: ScanInput;
        answer: QRCheckin;
    };
    /** Read the QR code of a ticket */
    "GET /tickets/v1/qr/{id}": {
        input: {
            /** Id of the attendee. */
            id: number;
            /** Proves that the request comes from the holder. */
            security_code?: string;
        };
        answer: QR;
    };
    /** Get a one-time token for writing a ticket */
    "POST /tickets/v1/nonces": {
        input: NonceInput;
        answer: Nonce;
    };
    /** End reminders of events */
    "POST /tickets/v1/reminders/unsubscribe": {
        input: Unsubscribing;
        answer: Unsubscribed;
    };
    /** List the routes of this namespace */
    "GET /admin/v1": {
        input: {
            /** Name of the namespace to describe; this one by default. */
            namespace?: string;
            /** Accepted for compatibility. */
            context?: string;
        };
        answer: Index;
    };
    /** Describe this namespace as OpenAPI 3.1 */
    "GET /admin/v1/doc": {
        input: Record<string, never>;
        answer: Document;
    };
    /** List payments */
    "GET /admin/v1/payments": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Only payments with these statuses. */
            status?: (number | string)[];
            /** Only payments of these payment services. */
            gateway?: (number | string)[];
            /** Only payments of this order. */
            order?: number;
        };
        answer: PaymentList;
    };
    /** Book money that was received offline for an order */
    "POST /admin/v1/orders/{id}/payments": {
        input: {
            /** Id of the order. */
            id: number;
        } & OfflinePaymentInput;
        answer: ChangedOrder;
    };
    /** End the open payment of an order */
    "POST /admin/v1/orders/{id}/payments/close": {
        input: {
            /** Id of the order. */
            id: number;
        };
        answer: FullOrder;
    };
    /** Ask the payment service for the state of a payment */
    "POST /admin/v1/payments/{id}/check": {
        input: {
            /** Id of the payment. */
            id: number;
        };
        answer: FullOrder;
    };
    /** Give money of an order back */
    "POST /admin/v1/orders/{id}/refunds": {
        input: {
            /** Id of the order. */
            id: number;
        } & RefundInput;
        answer: ChangedOrder;
    };
    /** Try a failed refund again */
    "POST /admin/v1/refunds/{id}/retry": {
        input: {
            /** Id of the refund. */
            id: number;
        };
        answer: Refund;
    };
    /** Book a failed refund as given back offline */
    "POST /admin/v1/refunds/{id}/settle": {
        input: {
            /** Id of the refund. */
            id: number;
        };
        answer: Refund;
    };
    /** Read the progress of the refund of an event */
    "GET /admin/v1/events/{id}/refunds": {
        input: {
            /** Id of the event. */
            id: number;
        };
        answer: EventRefunds;
    };
    /** Give the money of a cancelled event back */
    "POST /admin/v1/events/{id}/refunds": {
        input: {
            /** Id of the event. */
            id: number;
        } & EventRefundInput;
        answer: EventRefunds;
    };
    /** List uploaded images, newest first */
    "GET /admin/v1/media": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must all occur in the title, the file name or the alternative text. */
            search?: string;
            /** true: only images that no event, venue, organizer or description shows and that are not the logo; false: only the others. */
            unused?: boolean;
            /** Only images without alternative text in this language. */
            without_alt?: string;
            /** Only images uploaded by this account. */
            author?: number;
            /** Only these images. */
            include?: number[];
            /**
             * `date` of the upload (default), `title` or `filesize`.
             * @enum {string}
             */
            orderby?: "date" | "title" | "filesize";
            /**
             * `asc` or `desc`; the default is `asc` for titles and `desc` otherwise.
             * @enum {string}
             */
            order?: "asc" | "desc";
        };
        answer: MediaList;
    };
    /** Upload an image */
    "POST /admin/v1/media": {
        input: MediaUpload;
        answer: Media;
    };
    /** Read an uploaded image */
    "GET /admin/v1/media/{id}": {
        input: {
            /** Id of the image. */
            id: number;
        };
        answer: Media;
    };
    /** Change the title, the alternative text or the focus point of an image */
    "PATCH /admin/v1/media/{id}": {
        input: {
            /** Id of the image. */
            id: number;
        } & MediaUpdate;
        answer: Media;
    };
    /** Delete an uploaded image permanently */
    "DELETE /admin/v1/media/{id}": {
        input: {
            /** Id of the image. */
            id: number;
            /** Also remove the image from the records that use it, and from the site if it is the logo. */
            force?: boolean;
        };
        answer: Media;
    };
    /** Replace the file of an image */
    "POST /admin/v1/media/{id}/file": {
        input: {
            /** Id of the image. */
            id: number;
        } & MediaReplace;
        answer: Media;
    };
    /** List the uses of an uploaded image */
    "GET /admin/v1/media/{id}/used-by": {
        input: {
            /** Id of the image. */
            id: number;
        };
        answer: ImageUses;
    };
    /** List venues with the number of their events */
    "GET /admin/v1/venues": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must all occur in the texts of one language. */
            search?: string;
            /**
             * `name` (default), `events`, `upcoming` or `id`.
             * @enum {string}
             */
            orderby?: "name" | "events" | "upcoming" | "id";
            /**
             * `asc` or `desc`; the default is `desc` for counts and `asc` otherwise.
             * @enum {string}
             */
            order?: "asc" | "desc";
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
        };
        answer: CountedVenues;
    };
    /** List organizers with the number of their events */
    "GET /admin/v1/organizers": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must all occur in the texts of one language. */
            search?: string;
            /**
             * `name` (default), `events`, `upcoming` or `id`.
             * @enum {string}
             */
            orderby?: "name" | "events" | "upcoming" | "id";
            /**
             * `asc` or `desc`; the default is `desc` for counts and `asc` otherwise.
             * @enum {string}
             */
            order?: "asc" | "desc";
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
        };
        answer: CountedOrganizers;
    };
    /** List categories with the number of their events */
    "GET /admin/v1/categories": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must all occur in the texts of one language. */
            search?: string;
            /**
             * `name` (default), `events`, `upcoming` or `id`.
             * @enum {string}
             */
            orderby?: "name" | "events" | "upcoming" | "id";
            /**
             * `asc` or `desc`; the default is `desc` for counts and `asc` otherwise.
             * @enum {string}
             */
            order?: "asc" | "desc";
        };
        answer: CountedCategories;
    };
    /** List tags with the number of their events */
    "GET /admin/v1/tags": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must all occur in the texts of one language. */
            search?: string;
            /**
             * `name` (default), `events`, `upcoming` or `id`.
             * @enum {string}
             */
            orderby?: "name" | "events" | "upcoming" | "id";
            /**
             * `asc` or `desc`; the default is `desc` for counts and `asc` otherwise.
             * @enum {string}
             */
            order?: "asc" | "desc";
        };
        answer: CountedTags;
    };
    /** List probable duplicates among venues */
    "GET /admin/v1/venues/duplicates": {
        input: Record<string, never>;
        answer: Duplicates;
    };
    /** List probable duplicates among organizers */
    "GET /admin/v1/organizers/duplicates": {
        input: Record<string, never>;
        answer: Duplicates;
    };
    /** List probable duplicates among categories */
    "GET /admin/v1/categories/duplicates": {
        input: Record<string, never>;
        answer: Duplicates;
    };
    /** List probable duplicates among tags */
    "GET /admin/v1/tags/duplicates": {
        input: Record<string, never>;
        answer: Duplicates;
    };
    /** Merge venues */
    "POST /admin/v1/venues/{id}/merge": {
        input: {
            /** Id of the record that takes over the others. */
            id: number;
        } & VenueMerge;
        answer: Merge;
    };
    /** Merge organizers */
    "POST /admin/v1/organizers/{id}/merge": {
        input: {
            /** Id of the record that takes over the others. */
            id: number;
        } & OrganizerMerge;
        answer: Merge;
    };
    /** Merge categories */
    "POST /admin/v1/categories/{id}/merge": {
        input: {
            /** Id of the record that takes over the others. */
            id: number;
        } & CategoryMerge;
        answer: Merge;
    };
    /** Merge tags */
    "POST /admin/v1/tags/{id}/merge": {
        input: {
            /** Id of the record that takes over the others. */
            id: number;
        } & TagMerge;
        answer: Merge;
    };
    /** Undo a merge */
    "POST /admin/v1/merges/{id}/undo": {
        input: {
            /** Id of the merge. */
            id: number;
        };
        answer: UndoneMerge;
    };
    /** Count the translated records in each language */
    "GET /admin/v1/translations/progress": {
        input: Record<string, never>;
        answer: TranslationProgress;
    };
    /** List the records of a kind without any text in a language */
    "GET /admin/v1/translations/missing": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /**
             * Kind of record.
             * @enum {string}
             */
            kind: "event" | "venue" | "organizer" | "category" | "tag" | "ticket" | "media";
            /** Language of the site. */
            language: string;
        };
        answer: MissingTexts;
    };
    /** Read how the capacity of a ticket is used */
    "GET /admin/v1/tickets/{id}/availability": {
        input: {
            /** Id of the ticket. */
            id: number;
        };
        answer: Availability;
    };
    /** List holders of a series pass without a place in an occurrence */
    "GET /admin/v1/tickets/{id}/missing-dates": {
        input: {
            /** Id of a ticket of the pass. */
            id: number;
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
        };
        answer: MissingDateList;
    };
    /** Copy an event */
    "POST /admin/v1/events/{id}/duplicate": {
        input: {
            /** Id of the event. */
            id: number;
        } & EventDuplicate;
        answer: Event;
    };
    /** Read how the capacities of an event are used */
    "GET /admin/v1/events/{id}/stock": {
        input: {
            /** Id of the event. */
            id: number;
        };
        answer: EventStock;
    };
    /** Read the sold places and capacities of events */
    "GET /admin/v1/sold-places": {
        input: {
            /** Ids of the events. */
            events: number[];
        };
        answer: SoldPlaces;
    };
    /** Release the places held by a cart */
    "DELETE /admin/v1/holds/{id}": {
        input: {
            /** Id of the hold. */
            id: number;
        };
        answer: ReleasedHold;
    };
    /** Read the security code and the check-ins of an attendee */
    "GET /admin/v1/attendees/{id}": {
        input: {
            /** Id of the attendee. */
            id: number;
        };
        answer: AdminAttendee;
    };
    /** List orders */
    "GET /admin/v1/orders": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Only orders with these statuses. */
            status?: (number | string)[];
            /** Only orders with these payment methods. */
            gateway?: (number | string)[];
            /** Words that must each be part of the name or the e-mail address of the customer, or the number or the id of the order. */
            search?: string;
            /** Only orders with tickets of this event. */
            event?: number;
            /** Placed at or after this time; in the time zone of the site unless it names one. */
            after?: string;
            /** Placed at or before this time; a day without a time is included whole. In the time zone of the site unless it names one. */
            before?: string;
            /** With at least this total. */
            total_min?: number;
            /** With at most this total. */
            total_max?: number;
            /** true: only orders of which more was received than they cost, as after a cancellation; false: only others. */
            money_owed?: boolean;
        };
        answer: OrderList;
    };
    /** Sell tickets at the counter */
    "POST /admin/v1/orders": {
        input: CounterSaleInput;
        answer: FullOrder;
    };
    /** Read an order */
    "GET /admin/v1/orders/{id}": {
        input: {
            /** Id of the order. */
            id: number;
        };
        answer: FullOrder;
    };
    /** Change an order: its status, expiry, customer, billing data, note or link */
    "PATCH /admin/v1/orders/{id}": {
        input: {
            /** Id of the order. */
            id: number;
        } & OrderChange;
        answer: ChangedOrder;
    };
    /** List and search attendees, for staff */
    "GET /admin/v1/attendees": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Words that must each be part of the name or the e-mail address, the number or the id of the order, or the whole security code. */
            search?: string;
            /** Only attendees of this event. */
            event?: number;
            /** Only attendees of this ticket. */
            ticket?: number;
            /** Only attendees of this order. */
            order?: number;
            /** Only these attendees. */
            include?: number[];
            /** true: only attendees of events that have not ended; false: only of others. */
            upcoming?: boolean;
            /**
             * `publish`, `trash` for archived attendees, or `any`.
             * @enum {string}
             */
            status?: "publish" | "trash" | "any";
            /** RSVP answers and statuses of orders. */
            attendee_status?: (number | string)[];
            /** true: only attendees who are checked in; false: only others. */
            checked_in?: boolean;
            /** Registered at or after this time; in the time zone of the site unless it names one. */
            after?: string;
            /** Registered at or before this time; a day without a time is included whole. In the time zone of the site unless it names one. */
            before?: string;
            /**
             * `checked_in` sorts by the time of the check-in, `event` by the end of the event: events that are on and the next ones come first.
             * @enum {string}
             */
            orderby?: "id" | "name" | "date" | "checked_in" | "event";
            /**
             * Sort direction.
             * @enum {string}
             */
            direction?: "asc" | "desc";
            /** Related records to include. `order` and `code_end` are for users who may see orders. */
            with?: ("event" | "order" | "code_end")[];
        };
        answer: StaffAttendeeList;
    };
    /** Cancel some places of an order */
    "POST /admin/v1/orders/{id}/cancel-places": {
        input: {
            /** Id of the order. */
            id: number;
        } & PlacesCancellation;
        answer: ChangedOrder;
    };
    /** Move an attendee to another ticket */
    "POST /admin/v1/attendees/{id}/move": {
        input: {
            /** Id of the attendee. */
            id: number;
        } & AttendeeMove;
        answer: AdminAttendee;
    };
    /** Give an attendee a new security code */
    "POST /admin/v1/attendees/{id}/security-code": {
        input: {
            /** Id of the attendee. */
            id: number;
        };
        answer: AdminAttendee;
    };
    /** Export attendees as CSV */
    "GET /admin/v1/attendees/export": {
        input: {
            /** Words that must each be part of the name or the e-mail address, the number or the id of the order, or the whole security code. */
            search?: string;
            /** Only attendees of this event. */
            event?: number;
            /** Only attendees of this ticket. */
            ticket?: number;
            /** Only attendees of this order. */
            order?: number;
            /** Only these attendees. */
            include?: number[];
            /** true: only attendees of events that have not ended; false: only of others. */
            upcoming?: boolean;
            /**
             * `publish`, `trash` for archived attendees, or `any`.
             * @enum {string}
             */
            status?: "publish" | "trash" | "any";
            /** RSVP answers and statuses of orders. */
            attendee_status?: (number | string)[];
            /** true: only attendees who are checked in; false: only others. */
            checked_in?: boolean;
            /** Registered at or after this time; in the time zone of the site unless it names one. */
            after?: string;
            /** Registered at or before this time; a day without a time is included whole. In the time zone of the site unless it names one. */
            before?: string;
            /**
             * Format of the file.
             * @enum {string}
             */
            format?: "csv";
            /** Starts the file with a byte order mark, by which some spreadsheet programs recognise UTF-8. */
            bom?: boolean;
            /** Columns, in this order; all of them by default. */
            fields?: ("id" | "full_name" | "email" | "event_id" | "event" | "start_date" | "ticket_id" | "ticket" | "order_id" | "pass_id" | "status" | "attendee_status" | "paid" | "optout" | "date" | "checked_in" | "checkin_utc")[];
        };
        /** A line of headings, then a line for each record. */
        answer: string;
    };
    /** Export orders as CSV */
    "GET /admin/v1/orders/export": {
        input: {
            /** Only orders with these statuses. */
            status?: (number | string)[];
            /** Only orders with these payment methods. */
            gateway?: (number | string)[];
            /** Words that must each be part of the name or the e-mail address of the customer, or the number or the id of the order. */
            search?: string;
            /** Only orders with tickets of this event. */
            event?: number;
            /** Placed at or after this time; in the time zone of the site unless it names one. */
            after?: string;
            /** Placed at or before this time; a day without a time is included whole. In the time zone of the site unless it names one. */
            before?: string;
            /** With at least this total. */
            total_min?: number;
            /** With at most this total. */
            total_max?: number;
            /** true: only orders of which more was received than they cost, as after a cancellation; false: only others. */
            money_owed?: boolean;
            /**
             * Format of the file.
             * @enum {string}
             */
            format?: "csv";
            /** Starts the file with a byte order mark, by which some spreadsheet programs recognise UTF-8. */
            bom?: boolean;
            /** Columns, in this order; all of them by default. */
            fields?: ("id" | "status" | "gateway" | "purchaser" | "email" | "total" | "currency" | "date" | "modified_utc" | "note" | "number")[];
        };
        /** A line of headings, then a line for each record. */
        answer: string;
    };
    /** List invoices and credit notes */
    "GET /admin/v1/invoices": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /**
             * Only invoices, or only credit notes.
             * @enum {string}
             */
            kind?: "invoice" | "credit";
            /** Only those of this order. */
            order?: number;
            /** Issued at or after this time; in the time zone of the site unless it names one. */
            after?: string;
            /** Issued at or before this time; a day without a time is included whole. In the time zone of the site unless it names one. */
            before?: string;
        };
        answer: InvoiceList;
    };
    /** Export invoices as CSV, for bookkeeping */
    "GET /admin/v1/invoices/export": {
        input: {
            /**
             * Only invoices, or only credit notes.
             * @enum {string}
             */
            kind?: "invoice" | "credit";
            /** Only those of this order. */
            order?: number;
            /** Issued at or after this time; in the time zone of the site unless it names one. */
            after?: string;
            /** Issued at or before this time; a day without a time is included whole. In the time zone of the site unless it names one. */
            before?: string;
            /**
             * Format of the file.
             * @enum {string}
             */
            format?: "csv";
            /** Starts the file with a byte order mark, by which some spreadsheet programs recognise UTF-8. */
            bom?: boolean;
            /** Columns, in this order; all of them by default. */
            fields?: ("number" | "kind" | "date" | "corrects" | "order_id" | "order_number" | "customer" | "company" | "vat_number" | "tax_rate" | "net" | "tax" | "total" | "currency")[];
        };
        /** A line of headings, then a line for each record. */
        answer: string;
    };
    /** Read an invoice or a credit note */
    "GET /admin/v1/invoices/{id}": {
        input: {
            /** Id of the invoice. */
            id: number;
        };
        answer: Invoice;
    };
    /** Issue the missing invoices of an order */
    "POST /admin/v1/orders/{id}/invoices": {
        input: {
            /** Id of the order. */
            id: number;
        };
        answer: IssuedInvoices;
    };
    /** List the findings of the reconciliation */
    "GET /admin/v1/reconciliation": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /**
             * Only findings with this status; `open` by default.
             * @enum {string}
             */
            status?: "open" | "gone" | "closed";
        };
        answer: FindingList;
    };
    /** Close a finding of the reconciliation */
    "POST /admin/v1/reconciliation/{id}/close": {
        input: {
            /** Id of the finding. */
            id: number;
        } & FindingClosing;
        answer: Finding;
    };
    /** List mails to customers */
    "GET /admin/v1/mails": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /**
             * Only mails with this status.
             * @enum {string}
             */
            status?: "queued" | "sent" | "failed" | "held" | "bounced";
            /**
             * Only mails of this kind.
             * @enum {string}
             */
            kind?: "order" | "tickets" | "refund" | "payment_failed" | "place_cancelled" | "ticket_received" | "ticket_transferred" | "rsvp" | "rsvp_changed" | "reminder" | "announcement" | "event_moved" | "event_postponed" | "event_cancelled" | "my_tickets" | "invitation" | "sign-in" | "password" | "new-device" | "factor-removed" | "password-changed" | "address-changed" | "alert-payments" | "alert-jobs" | "alert-few-left" | "alert-sold-out" | "alert-orders";
            /**
             * Format: email
             * Only mails to this mailbox.
             */
            to?: string;
            /** Only mails about this order, and to the holders of its tickets. */
            order?: number;
            /** Only mails about this event or orders with places at it. */
            event?: number;
            /** Only mails to the holder of the ticket of this attendee, or about its order. */
            attendee?: number;
        };
        answer: MailList;
    };
    /** Read a mail to a customer */
    "GET /admin/v1/mails/{id}": {
        input: {
            /** Id of the mail. */
            id: number;
        };
        answer: FullMail;
    };
    /** Send a mail to a customer again */
    "POST /admin/v1/mails/{id}/send": {
        input: {
            /** Id of the mail. */
            id: number;
        } & MailSending;
        answer: Mail;
    };
    /** Report a mail that came back */
    "POST /admin/v1/mail-bounces": {
        input: MailBounce;
        answer: ReturnedMail;
    };
    /** List the texts of organizers in mails */
    "GET /admin/v1/mail-texts": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Id of an event; by default the texts are for all events. */
            event?: number;
            /**
             * Only this kind of mail.
             * @enum {string}
             */
            kind?: "order" | "tickets" | "refund" | "payment_failed" | "place_cancelled" | "ticket_received" | "ticket_transferred" | "rsvp" | "rsvp_changed" | "reminder" | "announcement" | "event_moved" | "event_postponed" | "event_cancelled";
            /** Only this language. */
            language?: string;
        };
        answer: MailTextList;
    };
    /** Write the subject and introduction of a kind of mail */
    "PUT /admin/v1/mail-texts": {
        input: MailTextInput;
        answer: MailText;
    };
    /** Restore the default text of a kind of mail */
    "DELETE /admin/v1/mail-texts/{id}": {
        input: {
            /** Id of the text. */
            id: number;
        };
        answer: MailText;
    };
    /** Preview a kind of mail with other texts */
    "POST /admin/v1/mail-preview": {
        input: MailPreviewInput;
        answer: MailPreview;
    };
    /** List the announcements to the holders of an event’s tickets */
    "GET /admin/v1/events/{id}/announcements": {
        input: {
            /** Id of the event. */
            id: number;
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
        };
        answer: AnnouncementList;
    };
    /** Write to the holders of an event’s tickets */
    "POST /admin/v1/events/{id}/announcements": {
        input: {
            /** Id of the event. */
            id: number;
        } & AnnouncementInput;
        answer: AnnouncementPreview | Announcement;
    };
    /** Read whether the holders of an event’s tickets are reminded */
    "GET /admin/v1/events/{id}/reminder": {
        input: {
            /** Id of the event. */
            id: number;
        };
        answer: EventReminder;
    };
    /** Choose whether the holders of an event’s tickets are reminded */
    "PATCH /admin/v1/events/{id}/reminder": {
        input: {
            /** Id of the event. */
            id: number;
        } & EventReminderInput;
        answer: EventReminder;
    };
    /** Export events as CSV */
    "GET /admin/v1/events/export": {
        input: {
            /** Events that start on this day or later. */
            start_date?: string;
            /** Events that end on this day or earlier. */
            end_date?: string;
            /** Events that start on this day or earlier. */
            starts_before?: string;
            /** Events that start later than this day. */
            starts_after?: string;
            /** Events that end before the last second of this day. */
            ends_before?: string;
            /** Events that end later than this day; `now` for ongoing and upcoming events. */
            ends_after?: string;
            /** Treat the dates above as exact times instead of whole days. */
            strict_dates?: boolean;
            /** Words that must all occur in title, description or excerpt. */
            search?: string;
            /** Ids, slugs or names; includes events of their subcategories. */
            categories?: (number | string)[];
            /** Ids, slugs or names. */
            tags?: (number | string)[];
            /** Ids or slugs of venues. */
            venue?: (number | string)[];
            /** Ids or slugs of organizers. */
            organizer?: (number | string)[];
            /** true: featured only; false: others only. */
            featured?: boolean;
            /** Only events with one of these statuses. */
            event_status?: ("scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online")[];
            /** Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash. */
            status?: (number | string)[];
            /** true: only events at a venue with coordinates; false: only others. */
            geoloc?: boolean;
            /** Latitude of the point to search around. Requires `geoloc_lng`. */
            geoloc_lat?: number;
            /** Longitude of the point to search around. Requires `geoloc_lat`. */
            geoloc_lng?: number;
            /** Only these events, whatever their dates. */
            include?: number[];
            /** Only events that are part of this event. */
            post_parent?: number;
            /** Only events of this author, by the id of the account. */
            author?: number;
            /** Only the occurrences of this series. Ignored under `/wp-json/tribe`. */
            series?: number;
            /** true: only events with tickets; false: only others. */
            ticketed?: boolean;
            /** true: only events whose `cost` is free; false: only others. Ignored under `/wp-json/tribe`. */
            free?: boolean;
            /** Reveals events protected by this password. */
            password?: string;
            /**
             * Format of the file.
             * @enum {string}
             */
            format?: "csv";
            /** Starts the file with a byte order mark, by which some spreadsheet programs recognise UTF-8. */
            bom?: boolean;
            /** Columns, in this order; all of them by default. */
            fields?: ("id" | "title" | "status" | "event_status" | "start_date" | "end_date" | "timezone" | "all_day" | "venue" | "city" | "organizer" | "categories" | "tags" | "cost" | "featured" | "website" | "url")[];
        };
        /** A line of headings, then a line for each record. */
        answer: string;
    };
    /** Make several calls in one request */
    "POST /admin/v1/batch": {
        input: BatchInput;
        answer: BatchResults;
    };
    /** List check-in keys */
    "GET /admin/v1/check-in-keys": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
        };
        answer: CheckInKeyList;
    };
    /** Create a check-in key */
    "POST /admin/v1/check-in-keys": {
        input: CheckInKeyInput;
        answer: NewCheckInKeyRepeated | NewCheckInKey;
    };
    /** Revoke a check-in key */
    "DELETE /admin/v1/check-in-keys/{id}": {
        input: {
            /** Id of the key. */
            id: number;
        };
        answer: CheckInKey;
    };
    /** List gates */
    "GET /admin/v1/door/gates": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Only gates of this event. */
            event_id?: number;
        };
        answer: GateList;
    };
    /** Create a gate */
    "POST /admin/v1/door/gates": {
        input: GateInput;
        answer: Gate;
    };
    /** Change a gate */
    "PATCH /admin/v1/door/gates/{id}": {
        input: {
            /** Id of the gate. */
            id: number;
        } & GateChange;
        answer: Gate;
    };
    /** Delete a gate */
    "DELETE /admin/v1/door/gates/{id}": {
        input: {
            /** Id of the gate. */
            id: number;
        };
        answer: Gate;
    };
    /** Create a pairing code */
    "POST /admin/v1/door/gates/{id}/pairings": {
        input: {
            /** Id of the gate. */
            id: number;
        } & DoorPairingInput;
        answer: DoorPairingRepeated | DoorPairing;
    };
    /** List the devices of a gate */
    "GET /admin/v1/door/gates/{id}/devices": {
        input: {
            /** Id of the gate. */
            id: number;
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
        };
        answer: DoorDeviceList;
    };
    /** Revoke a device */
    "DELETE /admin/v1/door/devices/{id}": {
        input: {
            /** Id of the device. */
            id: number;
        };
        answer: DoorDevice;
    };
    /** Pair a device */
    "POST /admin/v1/door/pair": {
        input: DoorPairInput;
        answer: DoorPairedRepeated | DoorPaired;
    };
    /** Report to the server and learn the rules */
    "POST /admin/v1/door/hello": {
        input: DoorHelloInput;
        answer: DoorGreeting | DoorGreetingRepeated;
    };
    /** Synchronise the list of a gate */
    "GET /admin/v1/door/attendees": {
        input: {
            /** Token of the last response. */
            since?: string;
            /** Whether to compare the list: its digest is in the response. */
            digest?: boolean;
        };
        answer: DoorList;
    };
    /** Send scans */
    "POST /admin/v1/door/scans": {
        input: DoorScansInput;
        answer: DoorScanAnswers;
    };
    /** Send sealed scans */
    "POST /admin/v1/door/sealed": {
        input: DoorSealedInput;
        answer: DoorSealedAnswer;
    };
    /** List clashes at the door */
    "GET /admin/v1/door/clashes": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Only clashes of this event. */
            event_id?: number;
            /** true: only open ones; false: only closed ones. */
            open?: boolean;
        };
        answer: DoorClashList;
    };
    /** Close a clash with a note, or open it again */
    "PATCH /admin/v1/door/clashes/{id}": {
        input: {
            /** Id of the clash. */
            id: number;
        } & DoorClashChange;
        answer: DoorClash;
    };
    /** Read the figures of the door */
    "GET /admin/v1/door/stats": {
        input: {
            /** Event. */
            event_id: number;
        };
        answer: DoorStats;
    };
    /** List tickets that a device may sell */
    "GET /admin/v1/door/offers": {
        input: Record<string, never>;
        answer: DoorOffers;
    };
    /** Read the sum of a shift */
    "GET /admin/v1/door/sales": {
        input: Record<string, never>;
        answer: DoorTakings;
    };
    /** Sell places at the door */
    "POST /admin/v1/door/sales": {
        input: DoorSaleInput;
        answer: DoorSale;
    };
    /** Take the money of an unpaid order at the door */
    "POST /admin/v1/door/payments": {
        input: DoorPaymentInput;
        answer: DoorSale;
    };
    /** Sign codes with a new key */
    "POST /admin/v1/door/keys": {
        input: Record<string, never>;
        answer: SigningKey;
    };
    /** List tax rates */
    "GET /admin/v1/tax-rates": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
        };
        answer: TaxRateList;
    };
    /** Create a tax rate */
    "POST /admin/v1/tax-rates": {
        input: TaxRateInput;
        answer: TaxRate;
    };
    /** Change a tax rate */
    "PATCH /admin/v1/tax-rates/{id}": {
        input: {
            /** Id of the record. */
            id: number;
        } & TaxRateChange;
        answer: TaxRate;
    };
    /** Delete a tax rate */
    "DELETE /admin/v1/tax-rates/{id}": {
        input: {
            /** Id of the record. */
            id: number;
        };
        answer: TaxRate;
    };
    /** List fees */
    "GET /admin/v1/fees": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
        };
        answer: FeeList;
    };
    /** Create a fee */
    "POST /admin/v1/fees": {
        input: FeeInput;
        answer: Fee;
    };
    /** Change a fee */
    "PATCH /admin/v1/fees/{id}": {
        input: {
            /** Id of the record. */
            id: number;
        } & FeeChange;
        answer: Fee;
    };
    /** Delete a fee */
    "DELETE /admin/v1/fees/{id}": {
        input: {
            /** Id of the record. */
            id: number;
        };
        answer: Fee;
    };
    /** List promotion codes */
    "GET /admin/v1/promotions": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Only codes that contain this text, in any letter case and with any spaces. */
            search?: string;
        };
        answer: PromotionList;
    };
    /** Create a promotion code */
    "POST /admin/v1/promotions": {
        input: PromotionInput;
        answer: Promotion;
    };
    /** Change a promotion code */
    "PATCH /admin/v1/promotions/{id}": {
        input: {
            /** Id of the record. */
            id: number;
        } & PromotionChange;
        answer: Promotion;
    };
    /** Delete a promotion code */
    "DELETE /admin/v1/promotions/{id}": {
        input: {
            /** Id of the record. */
            id: number;
        };
        answer: Promotion;
    };
    /** Read the sales */
    "GET /admin/v1/reports/sales": {
        input: {
            /** Only this event. */
            event?: number;
            /** Only these events. */
            events?: number[];
            /** Only events with one of these categories, by id. */
            category?: number[];
            /** First day, in the time zone of the site; by default 29 days before the last one. */
            from?: string;
            /** Last day, included; by default today. */
            to?: string;
            /**
             * Grouping; `day` by default.
             * @enum {string}
             */
            by?: "hour" | "day" | "ticket" | "event";
        };
        answer: SalesReport;
    };
    /** Read expected and actual attendance */
    "GET /admin/v1/reports/attendance": {
        input: {
            /** Only this event. */
            event?: number;
            /** Only these events. */
            events?: number[];
            /** Only events with one of these categories, by id. */
            category?: number[];
            /** First day, in the time zone of the site; by default 29 days before the last one. */
            from?: string;
            /** Last day, included; by default today. */
            to?: string;
            /**
             * Grouping; `event` by default.
             * @enum {string}
             */
            by?: "hour" | "day" | "ticket" | "event";
        };
        answer: AttendanceReport;
    };
    /** Read the money that was received, given back and lost */
    "GET /admin/v1/reports/money": {
        input: {
            /** Only orders with tickets of this event. */
            event?: number;
            /** First day, in the time zone of the site; by default 29 days before the last one. */
            from?: string;
            /** Last day, included; by default today. */
            to?: string;
        };
        answer: MoneyReport;
    };
    /** Read current events, tasks and recent sales */
    "GET /admin/v1/overview": {
        input: Record<string, never>;
        answer: Overview;
    };
    /** Export payments, refunds and losses as CSV */
    "GET /admin/v1/payments/export": {
        input: {
            /** Only orders with tickets of this event. */
            event?: number;
            /** First day, in the time zone of the site; by default 29 days before the last one. */
            from?: string;
            /** Last day, included; by default today. */
            to?: string;
            /**
             * Format of the file.
             * @enum {string}
             */
            format?: "csv";
            /** Starts the file with a byte order mark, by which some spreadsheet programs recognise UTF-8. */
            bom?: boolean;
            /** Columns, in this order; all of them by default. */
            fields?: ("date" | "kind" | "number" | "method" | "gateway" | "reference" | "currency" | "amount" | "fee" | "tax" | "taxes" | "refunded" | "status")[];
        };
        /** A line of headings, then a line for each record. */
        answer: string;
    };
    /** Read the settings of the site */
    "GET /admin/v1/site": {
        input: Record<string, never>;
        answer: Site;
    };
    /** Change the settings of the site */
    "PATCH /admin/v1/site": {
        input: SiteChange;
        answer: Site;
    };
    /** Read the state of the server */
    "GET /admin/v1/system": {
        input: {
            /** With `true`, also recounts all counters and looks for incomplete records, without changes. */
            doctor?: boolean;
        };
        answer: System;
    };
    /** Sign in */
    "POST /admin/v1/session": {
        input: SignInInput;
        answer: MeRepeated | Me;
    };
    /** Sign out */
    "DELETE /admin/v1/session": {
        input: Record<string, never>;
        answer: SessionEnd;
    };
    /** Sign in with a link */
    "POST /admin/v1/session/by-link": {
        input: SignInByLinkInput;
        answer: MeRepeated | Me;
    };
    /** Ask for a link by mail */
    "POST /admin/v1/session/mailed-link": {
        input: MailedLinkRequest;
        answer: MailedLinkRequested;
    };
    /** List sessions */
    "GET /admin/v1/sessions": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Id of the account, or `all` (administrators only). By default, the authenticated account. */
            user?: string;
        };
        answer: SessionList;
    };
    /** End a session */
    "DELETE /admin/v1/sessions/{id}": {
        input: {
            /** Id of the session. */
            id: number;
        };
        answer: Session;
    };
    /** Read the authenticated account */
    "GET /admin/v1/me": {
        input: Record<string, never>;
        answer: Me;
    };
    /** Re-authenticate */
    "POST /admin/v1/me/confirmation": {
        input: ConfirmationInput;
        answer: Confirmation;
    };
    /** Begin to set up a second factor */
    "POST /admin/v1/me/second-factor": {
        input: SecondFactorInput;
        answer: NewSecondFactorRepeated | NewSecondFactor;
    };
    /** Remove the second factor */
    "DELETE /admin/v1/me/second-factor": {
        input: ConfirmationInput;
        answer: Me;
    };
    /** Confirm a second factor */
    "POST /admin/v1/me/second-factor/confirm": {
        input: SecondFactorCode;
        answer: RecoveryCodes | RecoveryCodesRepeated;
    };
    /** Create new recovery codes */
    "POST /admin/v1/me/second-factor/recovery-codes": {
        input: ConfirmationInput;
        answer: RecoveryCodesRepeated | RecoveryCodes;
    };
    /** List possible authors */
    "GET /admin/v1/authors": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
        };
        answer: AuthorList;
    };
    /** List accounts */
    "GET /admin/v1/users": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Part of the name or the e-mail address. */
            search?: string;
            /**
             * Only accounts with this role.
             * @enum {string}
             */
            role?: "administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office";
        };
        answer: UserList;
    };
    /** Create an account */
    "POST /admin/v1/users": {
        input: UserInput;
        answer: NewUserRepeated | NewUser;
    };
    /** Read an account */
    "GET /admin/v1/users/{id}": {
        input: {
            /** Id of the account. */
            id: number;
        };
        answer: User;
    };
    /** Change an account */
    "PATCH /admin/v1/users/{id}": {
        input: {
            /** Id of the account. */
            id: number;
        } & UserChange;
        answer: User;
    };
    /** Delete an account */
    "DELETE /admin/v1/users/{id}": {
        input: {
            /** Id of the account. */
            id: number;
            /** Id of the account that takes over the records. */
            reassign?: number;
        };
        answer: User;
    };
    /** Create a sign-in link for an account */
    "POST /admin/v1/users/{id}/sign-in-link": {
        input: {
            /** Id of the account. */
            id: number;
        } & ConfirmationInput;
        answer: SignInLinkRepeated | SignInLink;
    };
    /** Send a sign-in link to an account */
    "POST /admin/v1/users/{id}/sign-in-mail": {
        input: {
            /** Id of the account. */
            id: number;
        };
        answer: MailedSignInLink;
    };
    /** List the open sign-in links of an account */
    "GET /admin/v1/users/{id}/sign-in-links": {
        input: {
            /** Id of the account. */
            id: number;
        };
        answer: SignInLinkList;
    };
    /** Revoke a sign-in link */
    "DELETE /admin/v1/users/{id}/sign-in-links/{link_id}": {
        input: {
            /** Id of the account. */
            id: number;
            /** Id of the sign-in link. */
            link_id: number;
        };
        answer: OpenSignInLink;
    };
    /** Remove the second factor of an account */
    "DELETE /admin/v1/users/{id}/second-factor": {
        input: {
            /** Id of the account. */
            id: number;
        } & ConfirmationInput;
        answer: User;
    };
    /** List the application passwords of an account */
    "GET /admin/v1/users/{id}/application-passwords": {
        input: {
            /** Id of the account. */
            id: number;
        };
        answer: ApplicationPasswordList;
    };
    /** Create an application password */
    "POST /admin/v1/users/{id}/application-passwords": {
        input: {
            /** Id of the account. */
            id: number;
        } & ApplicationPasswordInput;
        answer: NewApplicationPasswordRepeated | NewApplicationPassword;
    };
    /** Revoke an application password */
    "DELETE /admin/v1/users/{id}/application-passwords/{password_id}": {
        input: {
            /** Id of the account. */
            id: number;
            /** Id of the credential. */
            password_id: number;
        };
        answer: ApplicationPassword;
    };
    /** List tokens */
    "GET /admin/v1/tokens": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Only tokens of this account. */
            user_id?: number;
        };
        answer: TokenList;
    };
    /** Create a token */
    "POST /admin/v1/tokens": {
        input: TokenInput;
        answer: NewTokenRepeated | NewToken;
    };
    /** Revoke a token */
    "DELETE /admin/v1/tokens/{id}": {
        input: {
            /** Id of the credential. */
            id: number;
        };
        answer: Token;
    };
    /** List changes of records */
    "GET /admin/v1/audit": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /**
             * Only records of this kind.
             * @enum {string}
             */
            kind?: "event" | "series" | "venue" | "organizer" | "category" | "tag" | "ticket" | "attendee" | "order" | "media" | "user" | "app_password" | "token" | "check_in_key" | "gate" | "door_device" | "door_clash" | "signing_key" | "tax_rate" | "fee" | "promotion" | "invoice" | "mail" | "mail_text" | "announcement" | "import" | "subscription" | "site";
            /** Only the record with this id; requires `kind`. The site has the id 1. */
            id?: number;
            /** Only changes by this account. */
            user?: number;
            /**
             * Only this action.
             * @enum {string}
             */
            action?: "created" | "changed" | "published" | "trashed" | "restored" | "deleted";
            /** Words that must each be part of the name of the record or of the account that changed it; accounts are found by their present names. */
            search?: string;
            /** Start of the period, in the time zone of the site unless it names one; by default 30 days ago, or unlimited if `id` names a record. */
            from?: string;
            /** End of the period. A day without a time is included whole. In the time zone of the site unless it names one. */
            to?: string;
        };
        answer: AuditList;
    };
    /** Read a change */
    "GET /admin/v1/audit/{id}": {
        input: {
            /** Id of the entry. */
            id: number;
        };
        answer: FullAuditEntry;
    };
    /** Restore a record to its state before a change */
    "POST /admin/v1/audit/{id}/restore": {
        input: {
            /** Id of the entry. */
            id: number;
        } & AuditRestore;
        answer: Restored;
    };
    /** List background jobs */
    "GET /admin/v1/jobs": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /**
             * Only jobs in this state.
             * @enum {string}
             */
            state?: "ready" | "running" | "dead";
            /** Only jobs of this kind. */
            kind?: string;
        };
        answer: JobList;
    };
    /** Count background jobs */
    "GET /admin/v1/jobs/counts": {
        input: Record<string, never>;
        answer: JobCounts;
    };
    /** Try all dead background jobs again */
    "POST /admin/v1/jobs/retry": {
        input: JobRetryInput;
        answer: RetriedJobs;
    };
    /** Try a background job again */
    "POST /admin/v1/jobs/{id}/retry": {
        input: {
            /** Id of the job. */
            id: number;
        };
        answer: RetriedJob;
    };
    /** Remove a background job */
    "DELETE /admin/v1/jobs/{id}": {
        input: {
            /** Id of the job. */
            id: number;
        };
        answer: Job;
    };
    /** Fill an empty calendar with examples */
    "POST /admin/v1/examples": {
        input: ExamplesCreate;
        answer: Examples;
    };
    /** List the calendars that the site subscribes to */
    "GET /admin/v1/imports/subscriptions": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** true: only paused ones; false: only the others. */
            paused?: boolean;
        };
        answer: SubscriptionList;
    };
    /** Subscribe to a calendar */
    "POST /admin/v1/imports/subscriptions": {
        input: SubscriptionInput;
        answer: Subscription;
    };
    /** Change or pause a subscription */
    "PATCH /admin/v1/imports/subscriptions/{id}": {
        input: {
            /** Id of the subscription. */
            id: number;
        } & SubscriptionChange;
        answer: Subscription;
    };
    /** End a subscription */
    "DELETE /admin/v1/imports/subscriptions/{id}": {
        input: {
            /** Id of the subscription. */
            id: number;
            /** true: moves coming events to the trash, except events with sold or held tickets. */
            trash?: boolean;
        };
        answer: EndedSubscription;
    };
    /** List imports */
    "GET /admin/v1/imports": {
        input: {
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /**
             * Only imports in this state.
             * @enum {string}
             */
            state?: "uploading" | "mapping" | "planning" | "planned" | "importing" | "finished" | "failed" | "cancelled" | "undoing" | "undone";
            /**
             * Only imports of this kind.
             * @enum {string}
             */
            kind?: "wordpress" | "wxr" | "sql" | "ical" | "csv";
        };
        answer: ImportList;
    };
    /** Begin an import from a file or an address */
    "POST /admin/v1/imports": {
        input: ImportInput;
        answer: Import;
    };
    /** Read an import, with its progress */
    "GET /admin/v1/imports/{id}": {
        input: {
            /** Id of the import. */
            id: number;
        };
        answer: ImportDetails;
    };
    /** Send a part of the file of an import */
    "PUT /admin/v1/imports/{id}/parts/{number}": {
        input: {
            /** Id of the import. */
            id: number;
            /** Number of the part, from 0. */
            number: number;
        };
        answer: Import;
    };
    /** Confirm or change the columns of a table */
    "POST /admin/v1/imports/{id}/columns": {
        input: {
            /** Id of the import. */
            id: number;
        } & ImportColumnsInput;
        answer: Import;
    };
    /** Start an import that is planned, or continue one that was interrupted */
    "POST /admin/v1/imports/{id}/start": {
        input: {
            /** Id of the import. */
            id: number;
        } & ImportStartInput;
        answer: Import;
    };
    /** Stop an import */
    "POST /admin/v1/imports/{id}/cancel": {
        input: {
            /** Id of the import. */
            id: number;
        };
        answer: Import;
    };
    /** Undo an import */
    "POST /admin/v1/imports/{id}/undo": {
        input: {
            /** Id of the import. */
            id: number;
        } & ImportUndoInput;
        answer: Import;
    };
    /** List what an import would do, record by record */
    "GET /admin/v1/imports/{id}/plan": {
        input: {
            /** Id of the import. */
            id: number;
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /**
             * Only records with this planned action.
             * @enum {string}
             */
            action?: "create" | "change" | "same" | "conflict" | "cannot";
            /** Only records of this kind. */
            kind?: string;
            /** true: only records with notes; false: only records without. */
            noted?: boolean;
        };
        answer: ImportPlan;
    };
    /** List the findings of an import */
    "GET /admin/v1/imports/{id}/findings": {
        input: {
            /** Id of the import. */
            id: number;
            /** Page of results, from 1. */
            page?: number;
            /** Items per page; values over 100 are lowered to 100. */
            per_page?: number;
            /** Only findings about records of this kind. */
            kind?: string;
            /** Only findings of this code. */
            code?: string;
        };
        answer: ImportFindings;
    };
}
/** Beginning of former paths, and of those they redirect to. */
export interface AddressWord {
    from: string;
    to: string;
}
export interface AddressWordInput {
    /** Beginning of a path on the former site, such as `veranstaltung`. */
    from: string;
    /**
     * Beginning of the current path.
     * @enum {string}
     */
    to: "event" | "events" | "events/list" | "events/month" | "events/week" | "events/today" | "events/photo" | "events/places" | "events/past" | "events/featured" | "events/category" | "events/tag" | "venue" | "organizer" | "tag";
}
/** Attendee data for users who may see orders. */
export interface AdminAttendee {
    id: number;
    event_id: number;
    ticket_id: number;
    /** null for RSVP. */
    order_id: number | null;
    /** Only for a series pass. */
    pass?: AttendeePass;
    /** RSVP answer, or status of the order. */
    standing: string;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    security_code: string;
    /** Content of the QR code of the ticket. */
    content: string;
    /** Note that devices at the door show. */
    door_note: string;
    /**
     * Format: uri
     * Page of the ticket; anyone with the link may act for its holder. For users who manage the attendees of its event, or of all events of a series pass.
     */
    url?: string;
    /** Check-ins and check-outs, oldest first. */
    check_ins: {
        /** @enum {string} */
        action: "in" | "out";
        date_utc: UtcTime;
        /** `site`, or `app` for a scanned code. */
        source: string;
        /** Account; 0 for none. */
        user_id: number;
        /** Id of the check-in key used; null without one, and for the key in the settings. */
        key_id: number | null;
        device: string;
    }[];
}
/** An amount of money. */
export interface Amount {
    /** In the smallest unit of the currency. */
    minor: number;
    formatted: string;
}
/** A mail to the holders of an event’s tickets, and what became of it. */
export interface Announcement {
    id: number;
    event_id: number;
    /** @enum {string} */
    kind: "announcement" | "event_moved" | "event_postponed" | "event_cancelled" | "reminder";
    /** Empty for the default subject of its kind. */
    subject: string;
    text: string;
    /** @enum {string} */
    audience: "all" | "tickets" | "not_checked_in";
    /** Ids of the tickets, for the audience `tickets`. */
    tickets: number[];
    /** Account that made it; 0 for the server itself. */
    user: number;
    /** Whether mails are still being written. */
    is_running: boolean;
    /** Number of mails written so far. */
    recipients: number;
    queued: number;
    sent: number;
    held: number;
    /** Including those that came back. */
    failed: number;
    created_utc: UtcTime;
}
export interface AnnouncementInput {
    /**
     * `announcement`: only the text. `event_moved`, `event_postponed`, `event_cancelled`: also says what has become of the event, which must have that status; one that has moved is neither cancelled nor postponed.
     * @enum {string}
     */
    kind?: "announcement" | "event_moved" | "event_postponed" | "event_cancelled";
    /** Subject; each kind has a usual one. Plain text. */
    subject?: string | null;
    /** Plain text; required for the kind `announcement`. */
    text?: string | null;
    /**
     * `all`: everyone with a place. `tickets`: holders of certain tickets. `not_checked_in`: who is not checked in.
     * @enum {string}
     */
    audience?: "all" | "tickets" | "not_checked_in";
    /** Ids of tickets of the event, for the audience `tickets`. */
    tickets?: number[];
    /** true: only say how many would get it, and show it. */
    dry_run?: boolean;
}
export interface AnnouncementList {
    announcements: Announcement[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** Preview of an announcement, which is not sent. */
export interface AnnouncementPreview {
    event_id: number;
    /** Number of addresses that would get it. */
    recipients: number;
    subject: string;
    /** Plain text of the mail. */
    text: string;
    html: string;
}
/** A password for one program, which can be revoked separately. */
export interface ApplicationPassword {
    id: number;
    name: string;
    created_utc: UtcTime;
    /** UTC, to the hour; null for an unused credential. */
    last_used_utc: UtcTime | null;
}
export interface ApplicationPasswordInput {
    /** Purpose of the credential, such as the name of the program that uses it. Plain text. */
    name: string;
}
/** The application passwords of an account. */
export interface ApplicationPasswordList {
    application_passwords: ApplicationPassword[];
}
/** Attendees of the events that start in a range of days. */
export interface AttendanceReport {
    /** @enum {string} */
    by: "hour" | "day" | "ticket" | "event";
    /** null for all days. */
    from: string | null;
    to: string | null;
    timezone: string;
    totals: {
        /** Attendees whose places count: paid, unpaid, or RSVP yes. */
        expected: number;
        /** Attendees who are checked in. */
        came: number;
        /** RSVPs with the answer no. */
        declined: number;
    };
    /** By hour or day of the check-in: periods with check-ins, in order. */
    periods?: {
        /** Start of the hour or day, in the time zone of the site. */
        start: LocalTime;
        start_utc: UtcTime;
        /** Attendees checked in during this period. */
        came: number;
        /** Attendees checked in by its end. */
        running: number;
    }[];
    /** By ticket or event: at most 1000, those with most attendees first. */
    rows?: {
        event_id: number;
        /** Title of the event; empty if it is deleted. */
        title: string;
        /** Start of the event, in its time zone; null if it is deleted. */
        start_date: LocalTime | null;
        /** By ticket only. */
        ticket_id?: number;
        ticket_title?: string;
        /** Attendees whose places count: paid, unpaid, or RSVP yes. */
        expected: number;
        /** Attendees who are checked in. */
        came: number;
        /** RSVPs with the answer no. */
        declined: number;
    }[];
    /** Number of further tickets or events not listed. */
    omitted?: number;
}
/** A person registered for an event. */
export interface Attendee {
    id: number;
    post_id: number;
    ticket_id: number;
    global_id: string;
    global_id_lineage: string[];
    /** Id of the account that created the attendee, as text. */
    author: string;
    /** `publish`, or `trash` once archived. */
    status: string;
    date: LocalTime;
    date_utc: UtcTime;
    modified: LocalTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    /** Format: uri */
    rest_url: string;
    ticket: AttendeeTicket;
    /** Name. Absent for people who opted out, except for privileged users. */
    title?: string;
    /** Whether the attendee is hidden from public lists. */
    optout: boolean;
    /** Only for a series pass, for privileged users. Absent under `/wp-json/tribe`. */
    pass?: AttendeePass;
    /**
     * This and the following members are for privileged users.
     * @enum {string}
     */
    provider?: "rsvp" | "tc";
    /** Id of the order; for RSVPs, of the attendee. */
    order?: number;
    /**
     * Always empty; see the SKU of the ticket.
     * @constant
     */
    sku?: "";
    email?: string;
    checked_in?: boolean;
    checkin_details?: false | CheckinDetails;
    is_subscribed?: boolean;
    is_purchaser?: boolean;
    /** RSVP only. */
    rsvp_going?: boolean;
    /** Paid tickets only. */
    payment?: PaymentDetails;
    /** Answers to registration questions, if any; plain text in keys and values. */
    information?: {
        [key: string]: unknown;
    } | unknown[];
}
/** Absent fields keep their values. The fields have the same meaning as in AttendeeInput. */
export interface AttendeeChange {
    full_name?: string;
    /** Format: email */
    email?: string;
    attendee_status?: string;
    check_in?: boolean | null;
    optout?: boolean | null;
    /** Note that devices at the door show, such as `wheelchair`. Plain text. */
    door_note?: string | null;
}
export interface AttendeeInput {
    /** Ticket the attendee is registered for. */
    ticket_id: number;
    /** Name of the attendee. */
    full_name: string;
    /**
     * Format: email
     * E-mail address of the attendee.
     */
    email: string;
    /** RSVP answer: `yes` or `no`. Paid attendees have the status of their order. */
    attendee_status?: string;
    /** true checks in, false checks out. */
    check_in?: boolean | null;
    /** Whether the attendee is hidden from public lists. */
    optout?: boolean | null;
}
export interface AttendeeList {
    /** Format: uri */
    rest_url: string;
    total: number;
    total_pages: number;
    attendees: Attendee[];
}
export interface AttendeeMove {
    /** A ticket of the same kind, also of another event. */
    ticket_id: number;
}
/** A series pass: attendees with the same id have one security code. */
export interface AttendeePass {
    /** Its first attendee, whose id the QR code has. */
    id: number;
}
/** Ticket of an attendee. */
export interface AttendeeTicket {
    id: number;
    title: string;
    description: string;
    /** Plain number; empty for RSVP. */
    raw_price: string;
    /** With all decimals, without a symbol. */
    formatted_price: string;
    currency_config: CurrencyConfig;
    /** First day of sale, or empty. */
    start_sale: string;
    /** Last day of sale, or empty. */
    end_sale: string;
}
/** A changed field, named after the parameter that writes it. Money is in minor units. */
export interface AuditChange {
    field: string;
    /** Absent for texts in the first language, except those of the site. */
    language?: string;
    /** Absent if the field was empty. */
    before?: unknown;
    /** Absent if the field is empty now, or the record was deleted. */
    after?: unknown;
    /**
     * Why the values are not stored: personal data, a secret, or a value over 20,000 characters.
     * @enum {string}
     */
    hidden?: "personal" | "secret" | "long";
    /**
     * Both texts are cut to 20,000 characters.
     * @constant
     */
    shortened?: true;
}
/** A change of a record. */
export interface AuditEntry {
    id: number;
    date_utc: UtcTime;
    /** null for a check-in key or a command. */
    user: {
        id: number;
        /** Name at the time of the change; empty once the account is deleted. */
        name: string;
    } | null;
    /**
     * Authentication method; like the following four, only for administrators.
     * @enum {string}
     */
    means?: "password" | "app-password" | "token" | "session" | "check-in-key" | "door-device" | "command-line";
    credential?: {
        id: number;
        name: string;
    } | null;
    /** The /24 or /48 network of the client; empty for a command. */
    network?: string;
    request_id?: string;
    /** @enum {string} */
    action: "created" | "changed" | "published" | "trashed" | "restored" | "deleted";
    /** @enum {string} */
    kind: "event" | "series" | "venue" | "organizer" | "category" | "tag" | "ticket" | "attendee" | "order" | "media" | "user" | "app_password" | "token" | "check_in_key" | "gate" | "door_device" | "door_clash" | "signing_key" | "tax_rate" | "fee" | "promotion" | "invoice" | "mail" | "mail_text" | "announcement" | "import" | "subscription" | "site";
    record_id: number;
    /** Empty if it would be the name of a person. */
    title: string;
    /** Revision after the change. */
    revision: number | null;
    /** Names of the changed fields. */
    fields: string[];
}
export interface AuditList {
    audit: AuditEntry[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface AuditRestore {
    /** Restore even if the record has been edited since; only the fields of this change are restored. */
    force?: boolean;
}
/** An account that can be named as author. */
export interface Author {
    id: number;
    name: string;
}
export interface AuthorList {
    authors: Author[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** capacity + over = sold + held + available + blocked_by_others; for shared places with blocked_by_cap instead. */
export interface Availability {
    ticket_id: number;
    event_id: number;
    /** Only for a series pass. */
    pass?: {
        id: number;
        /** The date with the fewest places, which limits the others; null if none is sold. */
        tightest: {
            ticket_id: number;
            event_id: number;
        } | null;
    };
    mode: string;
    /** Places; -1 without a limit. */
    capacity: number;
    /** Places; -1 without a limit. */
    available: number;
    sold: {
        total: number;
        /** RSVPs that take a place. */
        rsvp: number;
        by_order: {
            order_id: number;
            status: string;
            places: number;
            /** When the unpaid order expires, UTC; otherwise null. */
            until: string | null;
        }[];
    };
    held: {
        total: number;
        by_cart: {
            cart_id: number;
            places: number;
            /** UTC. */
            until: string;
        }[];
    };
    /** Places within its own limit that are unavailable because other tickets took the shared ones, or another date of a pass has fewer. */
    blocked_by_others: number;
    /** Places taken beyond the capacity, after it was lowered. */
    over: number;
    /** The places shared by tickets of the event, if this ticket uses them. */
    pool: {
        /** Places; -1 without a limit. */
        capacity: number;
        sold: number;
        held: number;
        /** Places; -1 without a limit. */
        available: number;
        /** Shared places that are left but unavailable to this ticket because of its cap. */
        blocked_by_cap: number;
        /** Places taken beyond the capacity, after it was lowered. */
        over: number;
    } | null;
}
export interface BatchCall {
    /** @enum {string} */
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** Path and query of the call, from the first slash: `/calendar/events/v1/events/5`. */
    path: string;
    /** Parameters of a write. */
    body?: {
        [key: string]: unknown;
    };
    /** Header `If-Match` of the call. */
    if_match?: string;
}
export interface BatchInput {
    /** Calls, in order. */
    calls: BatchCall[];
}
/** Response to one call of a batch. */
export interface BatchResult {
    status: number;
    /** `ETag`, `Location` and `Retry-After`, if present. */
    headers: {
        [key: string]: string;
    };
    /** Body of the response; null for no content. */
    body: unknown;
}
export interface BatchResults {
    results: BatchResult[];
}
/** Data of the customer for invoices; empty texts for none. */
export interface Billing {
    company: string;
    vat_number: string;
    address: string;
}
/** Data of the customer for the invoice; null or an absent member is empty. */
export type BillingInput = {
    /** Company. Plain text. */
    company?: string | null;
    /** VAT number. Plain text. */
    vat_number?: string | null;
    /** Postal address, in lines of plain text. */
    address?: string | null;
} | null;
/** An order, for its customer. */
export interface BuyersOrder {
    id: number;
    /** Short number for people, no secret. Absent under `/wp-json/tribe`. */
    number?: string;
    /** @enum {string} */
    status: "created" | "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided";
    currency: string;
    total: Amount;
    date: LocalTime;
    date_utc: UtcTime;
    purchaser: {
        name: string;
        email: string;
    };
    items: {
        ticket_id: number;
        event_id: number;
        title: string;
        /** Without cancelled places. */
        quantity: number;
        /** Number of individually cancelled places; absent for none. */
        cancelled?: number;
        price: Amount;
        subtotal: Amount;
        /** Only for a series pass, each of whose dates has a part of its price: the ticket by which it was bought. */
        pass?: {
            ticket_id: number;
        };
    }[];
    /** Amounts besides the places: `fee`, `donation`, `kept` for money kept for cancelled places, and `credit` (negative) for money given back without a place. */
    charges: {
        kind: string;
        title: string;
        quantity: number;
        amount: Amount;
    }[];
    /** Reduction of the list prices by a promotion; absent for none. */
    discount?: Amount;
    /** Taxes by rate: those in the total, or in the kept money of an order without places. Absent for none. */
    taxes?: {
        /** Thousandths of a percent. */
        rate: number;
        amount: Amount;
    }[];
    /** Money received and not given back. */
    paid: Amount;
    /** Money given back, or on its way back. */
    refunded: Amount;
    /** Money received, oldest first. */
    receipts: PaymentReceipt[];
    /** Oldest first. */
    refunds: CustomerRefund[];
    /** Status of the latest payment at a payment service; null if none was begun. */
    payment_status: ("created" | "open" | "processing" | "action" | "paid" | "failed" | "cancelled" | "disputed" | "lost") | null;
    /** Page that leads to the payment service; null unless the order can be paid at one now. */
    pay_url: string | null;
    /** In the order of issue. */
    invoices: OrderInvoice[];
    attendees: HeldTicket[];
    /** Until when a `pending` order keeps its places, UTC; for a bank transfer, the date by which to pay. Null for never, and for other statuses. */
    expires_utc: UtcTime | null;
    /** Whether it is to be paid at the door: its tickets have codes, which admit once it is paid. */
    at_door: boolean;
    /** Payment method of an unpaid order; null for other orders. */
    payment: OrderPayment | null;
    /** Whether the customer may cancel it now. */
    may_cancel: boolean;
    /**
     * Format: uri
     * Page of the order; accessible to anyone with the link.
     */
    url: string;
}
export interface BuyersOrderChange {
    purchaser?: PurchaserInput;
    /** Attendees to change. */
    attendees?: HolderInput[];
}
/** When customers may cancel paid or free orders: `never`; `free`: only free orders, until the event starts; `until`: up to `hours_before` the start. They may always cancel pending orders. */
export interface CancellationRule {
    /** @enum {string} */
    rule: "never" | "free" | "until";
    hours_before: number | null;
}
/** When customers may cancel paid or free orders. They may always cancel pending orders. */
export interface CancellationRuleInput {
    /**
     * `never`; `free`: only free orders, until the event starts; `until`: all orders, up to a deadline.
     * @enum {string}
     */
    rule: "never" | "free" | "until";
    /** For `until`: deadline in hours before the start. */
    hours_before?: number | null;
}
/** Capacity and available places. */
export interface CapacityDetails {
    available_percentage: number;
    /** Places left; -1 without a limit. */
    available: number;
    /** This and the following members are for privileged users. Capacity; 0 or -1 without a limit. */
    max?: number;
    sold?: number;
    /** Places held by carts. */
    pending?: number;
    /** @enum {string} */
    global_stock_mode?: "own" | "global" | "capped" | "";
}
/** The visitor’s cart. */
export interface Cart {
    tickets: CartTicket[];
    meta: CartMeta[];
    /** When the first hold expires; absent for an empty cart. */
    held_until_utc?: UtcTime;
    /** Absent for an empty cart. Only `quantity` and `total` under `/wp-json/tribe`. */
    totals?: {
        /** List prices of all places. */
        items?: Amount;
        /** Reduction by the promotion. */
        discount?: Amount;
        fees?: Amount;
        /** By rate. */
        taxes?: TaxAmount[];
        /** Absent for none. */
        donation?: Amount;
        total: Amount;
        quantity: number;
    };
    /** Absent without a code, and under `/wp-json/tribe`. */
    promotion?: CartPromotion;
    /** Page of the cart; empty for an empty cart. */
    cart_url: string;
    /** Page of the checkout; empty for an empty cart. */
    checkout_url: string;
}
export interface CartInput {
    /** Provider of listed tickets without one. RSVP tickets and tickets of unknown providers are ignored. */
    provider: string;
    /** Tickets to change, each with its new quantity. Other tickets stay unchanged. */
    tickets?: CartTicketInput[] | null;
    /** Answers to registration questions, for the seats of tickets in the cart; at most 64 KiB. */
    meta?: CartMetaInput[] | null;
    /** Id of an event with tickets. */
    post_id?: number | null;
    /** Promotion code for the cart, in place of an earlier one; a cart without tickets has none. `null` removes it. */
    promotion?: string | null;
    /** Donation beside the tickets, in the smallest unit of the currency, if the site accepts any; a cart without tickets has none. `null` removes it. Ignored under `/wp-json/tribe`. */
    donation?: number | null;
    /** Password of the event, if it has one. */
    password?: string | null;
}
/** Answers to registration questions. */
export interface CartMeta {
    ticket_id: number;
    /** `tickets-commerce`: the only provider whose tickets can be in carts. */
    provider: string;
    /** Answers for each seat. */
    items: {
        [key: string]: unknown;
    }[];
}
export interface CartMetaInput {
    ticket_id: number;
    provider?: string;
    /** Answers for each seat. Plain text: tags are removed from keys and texts. At most 200 keys and items in 5 levels, 200 characters per key and 20,000 in all for each person; without their tags, keys of an object must be unique and not empty. */
    items: {
        [key: string]: unknown;
    }[];
}
/** The promotion code of a cart. */
export interface CartPromotion {
    code: string;
    /** Whether it counts for the tickets of the cart now. */
    applies: boolean;
    /**
     * Why it does not.
     * @enum {string}
     */
    reason?: "not-begun" | "ended" | "used-up" | "other-tickets" | "opens-nothing" | "minimum" | "customer";
}
/** Places of one ticket in a cart. */
export interface CartTicket {
    ticket_id: number;
    quantity: number;
    /** Event of the ticket. */
    post_id: number;
    /** 1: the attendees are hidden from public lists. */
    optout: number;
    /** Always `none`: individual attendee collection is not supported. */
    iac: string;
    /** `tickets-commerce`: the only provider whose tickets can be in carts. */
    provider: string;
    title: string;
    /** Today's price of one place, or the one that the visitor chose. */
    price: Amount;
    /** Minimum price that the visitor may choose. Absent for a fixed price, and under `/wp-json/tribe`. */
    min_price?: Amount;
    subtotal: Amount;
    /** Maximum number of places per order or RSVP, for users who do not manage attendees; 0 for no limit. Absent for the default of 20, and under `/wp-json/tribe`. */
    max_per_order?: number;
    /** Only for a series pass; absent under `/wp-json/tribe`. */
    pass?: {
        /** Number of occurrences with a place. */
        dates: number;
    };
}
export interface CartTicketInput {
    ticket_id: number;
    /** New number of places; 0 removes the ticket. */
    quantity: number;
    /** For a ticket with a `min_price`, the chosen price of a place in the smallest unit of the currency. `null` for the suggested price; absent to keep the earlier choice. Ignored under `/wp-json/tribe`. */
    price?: number | null;
    /** Whether the attendees are hidden from public lists. */
    optout?: boolean;
    provider?: string;
}
/** Absent fields keep their values. The fields have the same meaning as in CategoryInput. */
export interface CategoryChange {
    name?: string | null;
    description?: string | null;
    slug?: string | null;
    parent?: number | null;
    color?: string | null;
}
export interface CategoryInput {
    /** Name. `null` removes its translation. */
    name: string | null;
    /** Description. */
    description?: string | null;
    /** Slug; derived from the name by default. */
    slug?: string | null;
    /** Parent category; 0 for the top level. */
    parent?: number | null;
    /** Colour of the category in calendars, as `#rrggbb`; null for none. */
    color?: string | null;
}
export interface CategoryList {
    categories: Term[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface CategoryMerge {
    /** Records to merge into it, at most 50. */
    from: number[];
    /** Fields of the survivor to set, for example values of the others, as in a change of it. */
    fields?: Record<string, unknown>;
    /** Only report the effects. */
    dry_run?: boolean;
}
/** An order after an action, with the effects of the action. */
export interface ChangedOrder {
    id: number;
    /** Short number for people, no secret. Absent under `/wp-json/tribe`. */
    number?: string;
    /** @enum {string} */
    status: "created" | "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided";
    /** Payment method: `manual`, `free`, a method of the site, or a payment provider. */
    gateway: string;
    purchaser: {
        name: string;
        email: string;
        /** 0 without an account. */
        user_id: number;
    };
    currency: string;
    total: Amount;
    date: LocalTime;
    date_utc: UtcTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    items: {
        ticket_id: number;
        event_id: number;
        title: string;
        /** Without cancelled places. */
        quantity: number;
        /** Number of individually cancelled places; absent for none. */
        cancelled?: number;
        price: Amount;
        subtotal: Amount;
        /** Only for a series pass, each of whose dates has a part of its price: the ticket by which it was bought. */
        pass?: {
            ticket_id: number;
        };
    }[];
    /** Reduction of the list prices by a promotion; absent for none. */
    discount?: Amount;
    /** Taxes by rate: those in the total, or in the kept money of an order without places. Absent for none. */
    taxes?: {
        /** Thousandths of a percent. */
        rate: number;
        amount: Amount;
    }[];
    attendees: {
        id: number;
        ticket_id: number;
        name: string;
        email: string;
        /** `publish`, or `trash` once archived. */
        status: string;
        checked_in: boolean;
        /** Only for a series pass. */
        pass?: AttendeePass;
    }[];
    /** Amounts besides the places: `fee`, `donation`, `kept` for money kept for cancelled places, and `credit` (negative) for money given back without a place. */
    charges: {
        kind: string;
        title: string;
        quantity: number;
        amount: Amount;
    }[];
    /** Oldest first. */
    payments: Payment[];
    /** Oldest first. */
    refunds: Refund[];
    /** Money received and not given back. */
    paid: Amount;
    /** Money received beyond the price of the places: it should be given back, or kept on purpose. Negative while something is to be paid. */
    owed: Amount;
    billing: Billing;
    /** For staff only, never shown to the customer. */
    note: string;
    log: {
        from: string;
        to: string;
        /**
         * Action, unless only the status changed.
         * @enum {string}
         */
        action?: "sale" | "payment" | "places" | "moved" | "new-code" | "purchaser" | "note";
        details?: {
            attendees?: number[];
            /** New ticket of the moved attendees. */
            ticket_id?: number;
            /** Price of cancelled places, in the smallest unit of the currency. */
            amount?: number;
            reason?: string;
            /** Gate of a sale at the door. */
            gate?: string;
            device?: string;
        };
        user_id: number;
        date_utc: UtcTime;
    }[];
    /** When a `pending` order expires, UTC; null for never, and for other statuses. */
    expires_utc: UtcTime | null;
    /** Statuses that the user may change the order to. */
    next: ("created" | "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided")[];
    /**
     * Format: uri
     * Page of the order; anyone with the link may act for the customer. For users who manage its attendees.
     */
    url?: string;
    changes: OrderChanges;
}
/** A key that lets a scanner read attendees and check them in. */
export interface CheckInKey {
    id: number;
    name: string;
    /** The only event for which the key is valid; null for all. */
    event_id: number | null;
    created_utc: UtcTime;
    /** UTC, to the hour; null if the key was never used. */
    last_used_utc: UtcTime | null;
}
export interface CheckInKeyInput {
    /** Name of the scanner or person that uses the key. Plain text. */
    name: string;
    /** The only event for which the key is valid; by default, all events. */
    event_id?: number;
}
export interface CheckInKeyList {
    check_in_keys: CheckInKey[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** The last check-in. */
export interface CheckinDetails {
    date: LocalTime;
    date_details: DateDetails;
    /**
     * `app` for a scanned code.
     * @enum {string}
     */
    source: "site" | "app";
    /** Account that checked the attendee in; 0 for the app. */
    author: number;
}
/** Number of attendees checked in. */
export interface CheckinReport {
    checked_in: number;
    unchecked_in: number;
    /** Rounded up; 100 without attendees. */
    checked_in_percentage: number;
    unchecked_in_percentage: number;
}
/** The order created from a cart. */
export interface Checkout {
    order: {
        id: number;
        /** Short number for people, no secret. Absent under `/wp-json/tribe`. */
        number?: string;
        /** @enum {string} */
        status: "created" | "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided";
        total: Amount;
        currency: string;
        /** For the header `X-Order-Token`: anyone with the token may act for the customer. */
        token: string;
        /**
         * Format: uri
         * Page of the order; accessible to anyone with the link.
         */
        url: string;
    };
    /** Only for orders that are paid at a payment service. */
    payment?: CustomerPayment;
    attendees: {
        id: number;
        ticket_id: number;
        /** Admits the holder once the order is paid. Absent until then, unless the order is to be paid at the door. */
        security_code?: string;
        /**
         * Format: uri
         * Page of the ticket, accessible to anyone with the link; its last segment is the token for `X-Ticket-Token`. Absent until the ticket has a page.
         */
        url?: string;
    }[];
}
export interface CheckoutInput {
    purchaser?: Purchaser;
    /** Holders of the places of each ticket, in order. The remaining places get the name of the customer. */
    attendees?: GuestInput[] | null;
    billing?: BillingInput;
    /** Page to which the payment service sends the customer afterwards, paid or not: of this site, or of an origin in MARQUEE_CORS_ORIGINS. By default the page of the order. */
    return_url?: string;
    /** Payment method of the site; each keeps the places for a period of its own. By default the only one. `manual`: external payment; completes the order for users who manage attendees. */
    payment?: string;
    /** Total shown to the customer, in the smallest unit of the currency. Another total is refused with `total-changed`. */
    expected_total?: number;
}
/** Re-authentication of a session. */
export interface Confirmation {
    /** UTC. Until then the session needs no further re-authentication. */
    confirmed_until_utc: UtcTime;
}
export interface ConfirmationInput {
    /** Current password of the account. */
    password?: string;
    /** Code of the second factor, or a recovery code, instead of the password. */
    code?: string;
}
/** Structured amounts; for tickets also the number format. */
export interface CostDetails {
    currency_symbol: string;
    /** @enum {string} */
    currency_position: "" | "prefix" | "postfix";
    /** Ascending, with a decimal point. */
    values: string[];
    /** Events only. */
    currency_code?: string;
    suffix?: string | null;
    currency_decimal_separator?: string;
    currency_decimal_numbers?: number;
    currency_thousand_separator?: string;
}
export interface CountedCategories {
    categories: CountedCategory[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface CountedCategory {
    category: Term;
    /** Number of events visible to the user, without the trash. */
    events: number;
    /** Number of these events that have not started yet. */
    upcoming: number;
}
export interface CountedOrganizer {
    organizer: Organizer;
    /** Number of events visible to the user, without the trash. */
    events: number;
    /** Number of these events that have not started yet. */
    upcoming: number;
}
export interface CountedOrganizers {
    organizers: CountedOrganizer[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface CountedTag {
    tag: Term;
    /** Number of events visible to the user, without the trash. */
    events: number;
    /** Number of these events that have not started yet. */
    upcoming: number;
}
export interface CountedTags {
    tags: CountedTag[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface CountedVenue {
    venue: Venue;
    /** Number of events visible to the user, without the trash. */
    events: number;
    /** Number of these events that have not started yet. */
    upcoming: number;
}
export interface CountedVenues {
    venues: CountedVenue[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface CounterSaleInput {
    /** Tickets to sell, each once. */
    items: SaleLineInput[];
    /**
     * Payment method; `free` for free orders.
     * @enum {string}
     */
    payment: "cash" | "card" | "transfer" | "free";
    purchaser?: PurchaserInput;
    /** Reason for prices that differ from today's. */
    reason?: string;
}
export interface CurrencyAmount {
    currency: string;
    /** In the smallest unit of the currency. */
    minor: number;
    formatted: string;
}
/** Number format of amounts. */
export interface CurrencyConfig {
    symbol: string;
    /** @enum {string} */
    placement: "prefix" | "postfix";
    decimal_point: string;
    thousands_sep: string;
    number_of_decimals: number;
}
/** A payment at a payment service, for the customer. */
export interface CustomerPayment {
    id: number;
    /**
     * `created` and `open`: not paid yet. `processing`: the money is on its way. `action`: the customer or staff must act.
     * @enum {string}
     */
    status: "created" | "open" | "processing" | "action" | "paid" | "failed" | "cancelled" | "disputed" | "lost";
    /** Id of the payment method. */
    method: string;
    gateway: string;
    amount: Amount;
    /**
     * Format: uri
     * Page on which the customer pays.
     */
    redirect_url: string;
    /** Until when the order keeps its places. */
    expires_utc: UtcTime | null;
}
/** Money of an order that is given back, for its customer. */
export interface CustomerRefund {
    amount: Amount;
    /**
     * `pending`: on its way to the customer. A refund that failed is pending until staff settle it.
     * @enum {string}
     */
    status: "pending" | "done";
    /**
     * `late`: the money came after the places were given to others. `surplus`: more was paid than the price. `called-off`: the order was cancelled before the money came.
     * @enum {string}
     */
    cause: "late" | "surplus" | "called-off" | "other";
    date_utc: UtcTime;
}
/** The digits of a date, zero-padded; empty for an empty date. */
export interface DateDetails {
    year: string;
    month: string;
    day: string;
    hour: string;
    minutes: string;
    seconds: string;
}
/** An OpenAPI 3.1 document. */
export interface Document {
    [key: string]: unknown;
}
/** A holder who was let in, and should not have been. */
export interface DoorClash {
    id: number;
    event_id: number;
    /** null for an unknown ticket. */
    attendee: {
        id: number;
        name: string;
        ticket: string;
    } | null;
    /**
     * `twice`: two entries with one ticket. `late-refusal`: let in offline although the ticket was refused.
     * @enum {string}
     */
    kind: "twice" | "late-refusal";
    /**
     * Verdict on the later entry.
     * @enum {string}
     */
    reason: "welcome" | "goodbye" | "already-in" | "not-in" | "unpaid" | "pending" | "cancelled" | "refunded" | "declined" | "unknown" | "wrong-code" | "other-event" | "other-gate" | "not-allowed" | "too-early" | "too-late" | "list-too-old" | "undone" | "not-undone";
    /** Entry that counts; null for a late refusal. */
    first: {
        utc: UtcTime;
        place: string;
    } | null;
    /** Later entry: gate and device. */
    second: {
        utc: UtcTime;
        place: string;
    };
    found_utc: UtcTime;
    closed_utc: UtcTime | null;
    /** Account; 0 while it is open. */
    closed_by: number;
    note: string;
}
export interface DoorClashChange {
    /** true closes it, false opens it again. */
    closed?: boolean;
    /** Outcome. Plain text. */
    note?: string;
}
export interface DoorClashList {
    clashes: DoorClash[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** A phone, tablet or computer that scans tickets at a gate. */
export interface DoorDevice {
    id: number;
    gate_id: number;
    name: string;
    /**
     * `waiting` until its pairing code is used.
     * @enum {string}
     */
    state: "waiting" | "paired" | "revoked";
    created_utc: UtcTime;
    paired_utc: UtcTime | null;
    /** UTC; null if it never reported. */
    last_seen_utc: UtcTime | null;
    /** As the device last reported; null if it never did. */
    status: {
        /** Percent. */
        battery: number | null;
        /** Scans that it has yet to send. */
        queue: number;
        /** Seconds since it last synchronised; null if it has no list. */
        list_age: number | null;
    } | null;
}
export interface DoorDeviceList {
    devices: DoorDevice[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** An event of a gate. */
export interface DoorEvent {
    id: number;
    title: string;
    /** `scheduled`, `cancelled`, `postponed` and so on. */
    status: string;
    timezone: string;
    start_date: LocalTime;
    utc_start_date: UtcTime;
    utc_end_date: UtcTime;
    /** Start of check-in; null if the site does not limit it. */
    opens_utc: UtcTime | null;
    closes_utc: UtcTime | null;
}
/** The gate of a device. */
export interface DoorGate {
    /** What its devices may do: check in, check out, only look. */
    modes: ("in" | "out" | "look")[];
    /**
     * Whether a ticket admits again: never, after its holder was scanned out, or always.
     * @enum {string}
     */
    reentry: "never" | "after_out" | "always";
    /**
     * Names on its devices: in full, shortened to `Ada L.`, or none.
     * @enum {string}
     */
    names: "full" | "short" | "none";
    /** The only tickets that it admits; empty for all of its events. */
    ticket_ids: number[];
    /** Whether its devices may look for attendees by name. */
    may_search: boolean;
    /** Whether its devices may take their own scans back, for five minutes. */
    may_undo: boolean;
    /** Whether its devices may let the holder of a used ticket in again. */
    may_override: boolean;
    /** Whether its devices may sell places and take money. */
    may_sell: boolean;
    /** Whether its devices lock their list with a PIN. */
    needs_pin: boolean;
    /** Age of the list, in minutes, from which devices admit nothing on their own; null for any. */
    strict_minutes: number | null;
    id: number;
    name: string;
    /** Time from which its devices are refused, and erase their lists; null for never. */
    expires_utc: UtcTime | null;
}
/** Time of the server and rules of the gate. */
export interface DoorGreeting {
    /** ISO 8601 with milliseconds, to learn the offset of the clock of the device. */
    server_time: string;
    device: {
        id: number;
        name: string;
    };
    gate: DoorGate;
    /** Base64url. A proof of the list is the first 12 bytes of HMAC-SHA-256(secret, `ID:CODE`) in base64url. */
    list_secret: string;
    /** Public key (P-256, uncompressed, base64url) for which devices seal scans that wait; see `POST /door/sealed`. */
    seal_key: string;
    /** Latest open clashes of the scans of this device, at most 20: entries with one ticket, or late refusals. */
    clashes: {
        id: number;
        attendee_id: number;
        reason: string;
        first_utc: string;
        first_place: string;
        second_utc: UtcTime;
        second_place: string;
    }[];
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface DoorGreetingRepeated {
    /** ISO 8601 with milliseconds, to learn the offset of the clock of the device. */
    server_time: string;
    device: {
        id: number;
        name: string;
    };
    gate: DoorGate;
    /** Public key (P-256, uncompressed, base64url) for which devices seal scans that wait; see `POST /door/sealed`. */
    seal_key: string;
    /** Latest open clashes of the scans of this device, at most 20: entries with one ticket, or late refusals. */
    clashes: {
        id: number;
        attendee_id: number;
        reason: string;
        first_utc: string;
        first_place: string;
        second_utc: UtcTime;
        second_place: string;
    }[];
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
export interface DoorHelloInput {
    /** Percent. */
    battery?: number | null;
    /** Scans that are yet to be sent. */
    queue?: number;
    /** Seconds since the list was last synchronised. */
    list_age?: number | null;
}
/** Attendees of the events of a gate: the whole list, or the changes. */
export interface DoorList {
    /** Sent as `since` with the next request. */
    token: string;
    /** Whether more rows follow at once. */
    more: boolean;
    /** Whether the rows begin a new list, in place of the one that the device has. */
    reset: boolean;
    /** At most 2000; a row replaces the earlier one of the attendee. */
    attendees: DoorRow[];
    /** Attendees who were deleted. */
    gone: number[];
    /** Digest of the whole list after this response, if asked for; null while more rows follow. */
    digest: string | null;
    events: DoorEvent[];
    tickets: DoorTicket[];
    /** Public keys of signed codes, also retired ones. */
    keys: SigningKey[];
    /** ISO 4217 code of the amounts. */
    currency: string;
}
/** Tickets that a device may sell. */
export interface DoorOffers {
    currency: string;
    tickets: {
        id: number;
        event_id: number;
        title: string;
        /** Today’s price without fees and taxes that are added, in minor units. */
        price: number;
        /** Places left; null without a limit. */
        available: number | null;
    }[];
}
export interface DoorPairInput {
    /** Pairing code; case, spaces and hyphens do not matter. */
    code: string;
    /** Name of the device. Plain text. */
    name?: string;
}
/** A paired device. */
export interface DoorPaired {
    /** Shown only once. */
    token: string;
    device: DoorDevice;
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface DoorPairedRepeated {
    device: DoorDevice;
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
/** A code that pairs one device with a gate. */
export interface DoorPairing {
    id: number;
    gate_id: number;
    name: string;
    /**
     * `waiting` until its pairing code is used.
     * @enum {string}
     */
    state: "waiting" | "paired" | "revoked";
    created_utc: UtcTime;
    paired_utc: UtcTime | null;
    /** UTC; null if it never reported. */
    last_seen_utc: UtcTime | null;
    /** As the device last reported; null if it never did. */
    status: {
        /** Percent. */
        battery: number | null;
        /** Scans that it has yet to send. */
        queue: number;
        /** Seconds since it last synchronised; null if it has no list. */
        list_age: number | null;
    } | null;
    /** Pairing code, shown only once; valid once, for ten minutes. */
    code: string;
    expires_utc: UtcTime;
}
export interface DoorPairingInput {
    /** Name of the device, which it may change when it is paired. Plain text. */
    name?: string;
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface DoorPairingRepeated {
    id: number;
    gate_id: number;
    name: string;
    /**
     * `waiting` until its pairing code is used.
     * @enum {string}
     */
    state: "waiting" | "paired" | "revoked";
    created_utc: UtcTime;
    paired_utc: UtcTime | null;
    /** UTC; null if it never reported. */
    last_seen_utc: UtcTime | null;
    /** As the device last reported; null if it never did. */
    status: {
        /** Percent. */
        battery: number | null;
        /** Scans that it has yet to send. */
        queue: number;
        /** Seconds since it last synchronised; null if it has no list. */
        list_age: number | null;
    } | null;
    expires_utc: UtcTime;
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
export interface DoorPaymentInput {
    /** Random id of the sale, by which it is done once: 8 to 64 letters, digits, `_` and `-`. */
    id: string;
    /** An attendee of the order, for an event of the gate. */
    attendee: number;
    /** What the device has shown as owed, in minor units. */
    amount: number;
    /**
     * `cash`, or `card` for a terminal.
     * @enum {string}
     */
    payment: "cash" | "card";
}
/** An attendee in the list of a gate. */
export type DoorRow = [
    number,
    number,
    number,
    "ok" | "unpaid" | "pending" | "cancelled" | "refunded" | "declined",
    string,
    0 | 1,
    string,
    number,
    number,
    number,
    string,
    string
];
/** A sale at the door, or money that was taken for an order. */
export interface DoorSale {
    id: string;
    order: {
        number: string;
        /** Minor units. */
        total: number;
        currency: string;
    };
    /** Money that was taken, in minor units. */
    amount: number;
    payment: string;
    /** Attendees of the order for events of the gate; the list has their rows when it next synchronises. */
    attendees: {
        id: number;
        event_id: number;
        ticket_id: number;
        name: string;
    }[];
}
export interface DoorSaleInput {
    /** Random id of the sale, by which it is done once: 8 to 64 letters, digits, `_` and `-`. */
    id: string;
    /** Tickets to sell, each once. */
    items: SaleLineInput[];
    /**
     * `cash`, `card` for a terminal, or `free` for free orders.
     * @enum {string}
     */
    payment: "cash" | "card" | "free";
    purchaser?: PurchaserInput;
}
export interface DoorScan {
    /** Random id of the scan; the same id again gets the first response. */
    id: string;
    /**
     * `undo` takes back a scan of the same device.
     * @enum {string}
     */
    mode: "in" | "out" | "look" | "undo";
    /** `ticket_id` of the code, or id of an attendee who was found by name. */
    attendee?: number | null;
    /** `security_code` of the code; null for an attendee who was found by name. */
    code?: string | null;
    /** Event for which a series pass is scanned; by default the one that takes place. */
    event_id?: number | null;
    /**
     * Format: date-time
     * Clock of the device when it scanned, in UTC.
     */
    time: string;
    /** Milliseconds by which the server was ahead of this clock, from `server_time`. */
    offset?: number | null;
    /** What the device has decided by itself, without the server; null if it waits for the response. A device that stops waiting sends the scan again with its decision. */
    let_in?: boolean | null;
    /** Whether the holder of a used ticket is let in on purpose. */
    override?: boolean | null;
    /** For `undo`: id of the scan to take back. */
    undoes?: string | null;
}
/** Response to a scan. */
export interface DoorScanAnswer {
    id: string;
    /** @enum {string} */
    verdict: "welcome" | "goodbye" | "already-in" | "not-in" | "unpaid" | "pending" | "cancelled" | "refunded" | "declined" | "unknown" | "wrong-code" | "other-event" | "other-gate" | "not-allowed" | "too-early" | "too-late" | "list-too-old" | "undone" | "not-undone";
    /** Entry with the same ticket before. */
    first: {
        utc: UtcTime;
        /** Gate and device; empty for a check-in elsewhere. */
        place: string;
    } | null;
    /** Whether the device let in a holder whom the server would have refused. */
    clash: boolean;
    /** null for an unknown ticket, a wrong code, and a ticket of another gate’s event. */
    attendee: {
        id: number;
        event_id: number;
        ticket_id: number;
        /** @enum {string} */
        admission: "ok" | "unpaid" | "pending" | "cancelled" | "refunded" | "declined";
        name: string;
        /** Amount owed for the order, in minor units. */
        owed: number;
        /** UTC time of the entry; empty unless the holder is in. */
        since: string;
        /** Note for the door. */
        note: string;
    } | null;
}
/** Responses, in the order of the scans. */
export interface DoorScanAnswers {
    server_time: string;
    scans: DoorScanAnswer[];
}
export interface DoorScansInput {
    /** Scans, oldest first. */
    scans: DoorScan[];
}
/** Result for each envelope of sealed scans. */
export interface DoorSealedAnswer {
    /** For each envelope: true if its scans are stored, so that the device may delete it; false if they never will be. */
    accepted: boolean[];
}
export interface DoorSealedInput {
    /** Envelopes, at most 20; see `seal_key` of `POST /door/hello`. */
    sealed: string[];
}
/** Figures of the door for one event. */
export interface DoorStats {
    event_id: number;
    totals: {
        /** Attendees whose tickets admit, or who are in. */
        expected: number;
        /** Attendees who are in. */
        inside: number;
        /** Attendees who were in and were scanned out. */
        left: number;
    };
    tickets: {
        id: number;
        title: string;
        /** Attendees whose tickets admit, or who are in. */
        expected: number;
        /** Attendees who are in. */
        inside: number;
        /** Attendees who were in and were scanned out. */
        left: number;
    }[];
    gates: {
        /** 0 for check-ins elsewhere. */
        id: number;
        /** Empty once the gate is deleted, and for check-ins elsewhere. */
        name: string;
        /** Entries that count, including those after a pause. */
        entries: number;
        /** Scans that were refused. */
        refused: number;
        /** Devices that are paired. */
        devices: number;
        /** Scans that devices have yet to send, as they last reported. */
        waiting: number;
    }[];
    /** Entries per quarter of an hour; those without any are left out. */
    arrivals: {
        start_utc: UtcTime;
        entries: number;
    }[];
    clashes: {
        open: number;
        closed: number;
    };
    /** Money that devices took, by gate, device and payment method. */
    sales: {
        gate_id: number;
        device_id: number;
        device: string;
        /** `cash`, `card` or `free`. */
        payment: string;
        currency: string;
        /** Number of sales, and of orders whose money was taken. */
        sales: number;
        /** Places sold. */
        places: number;
        /** Minor units. */
        amount: number;
    }[];
}
/** Sums of today. */
export interface DoorTakings {
    device: {
        /** `cash`, `card` or `free`. */
        payment: string;
        currency: string;
        /** Number of sales, and of orders whose money was taken. */
        sales: number;
        /** Places sold. */
        places: number;
        /** Minor units. */
        amount: number;
    }[];
    gate: {
        /** `cash`, `card` or `free`. */
        payment: string;
        currency: string;
        /** Number of sales, and of orders whose money was taken. */
        sales: number;
        /** Places sold. */
        places: number;
        /** Minor units. */
        amount: number;
    }[];
}
/** A kind of ticket of an event of the gate. */
export interface DoorTicket {
    id: number;
    event_id: number;
    title: string;
}
export interface Duplicates {
    duplicates: {
        /** Two records, the older one first. */
        records: {
            id: number;
            title: string;
            slug: string;
        }[];
        /** Shared properties: `name`, `place`, `website` and the like. */
        reasons: string[];
    }[];
}
/** A subscription that has ended. */
export interface EndedSubscription {
    id: number;
    address: string;
    /**
     * Status of its new events.
     * @enum {string}
     */
    status: "publish" | "pending" | "draft" | "private";
    /** Categories of its events. */
    categories: string[];
    /** Hours between two reads. */
    hours: number;
    paused: boolean;
    created_utc: UtcTime;
    /** Time of the next read. */
    due_utc: UtcTime;
    /** Last read; null before the first one. */
    checked_utc: UtcTime | null;
    /** Last read that succeeded. */
    succeeded_utc: UtcTime | null;
    /** Failed reads since then. */
    failures: number;
    /** Sentence about the problem, in English; empty without one. */
    problem: string;
    /** Numbers of records of the last import, by outcome and kind. */
    counts: {
        [key: string]: {
            [key: string]: number;
        };
    };
    /** Number of events and series moved to the trash. */
    trashed: number;
    /** Number of events and series that stay because of their tickets. */
    kept: number;
}
/** An event. */
export interface Event {
    id: number;
    global_id: string;
    global_id_lineage: string[];
    /** Id of the author, as text. */
    author: string;
    /** @enum {string} */
    status: "publish" | "future" | "draft" | "pending" | "private" | "trash";
    /**
     * Status before the record was put into the trash; the right to change it depends on this status.
     * @enum {string}
     */
    trashed_from?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
    date: LocalTime;
    date_utc: UtcTime;
    modified: LocalTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    /** Format: uri */
    url: string;
    /** Format: uri */
    rest_url: string;
    title: string;
    /** HTML. */
    description: string;
    /** HTML. */
    excerpt: string;
    slug: string;
    image: false | Image;
    all_day: boolean | null;
    start_date: LocalTime;
    start_date_details: DateDetails;
    end_date: LocalTime;
    end_date_details: DateDetails;
    utc_start_date: UtcTime;
    utc_start_date_details: DateDetails;
    utc_end_date: UtcTime;
    utc_end_date_details: DateDetails;
    /** @example Europe/Paris */
    timezone: string;
    timezone_abbr: string;
    /** @example $5 – $10 */
    cost: string;
    cost_details: CostDetails;
    website: string;
    show_map: boolean | null;
    show_map_link: boolean | null;
    hide_from_listings: boolean | null;
    sticky: boolean | null;
    featured: boolean | null;
    /**
     * Whether it takes place as announced; absent for `scheduled`.
     * @enum {string}
     */
    event_status?: "scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online";
    /** Plain text; absent if empty. */
    event_status_reason?: string;
    /** Original start of a rescheduled event. */
    previous_start_date?: LocalTime | null;
    /**
     * Absent unless it is set.
     * @constant
     */
    sale_stays_open?: true;
    /**
     * How people attend it; absent for `on_site`.
     * @enum {string}
     */
    attendance_mode?: "on_site" | "online" | "mixed";
    /**
     * Readers of `online_url`: holders of a ticket, or everyone; absent for `holders`.
     * @enum {string}
     */
    online_access?: "holders" | "everyone";
    /** Address for attending online. Only for users who may edit the event, unless everyone may see it. */
    online_url?: string;
    /** When the doors open, in the time zone of the event; absent if unknown. */
    door_time?: string;
    /** Information for people with disabilities. Plain text; absent if empty. */
    accessibility?: string;
    categories: EventTerm[];
    tags: EventTerm[];
    /** `[]` for none, an object for one venue, a list for several. */
    venue: Venue | Venue[];
    organizer: Organizer[];
    /** Always empty. */
    custom_fields: unknown[];
    /** Only for an occurrence of a series, in single reads. */
    series?: SeriesOfEvent;
    /** Only for an occurrence of a series, in single reads. */
    recurrence?: RecurrenceText;
    /** Event of which a draft is a copy; only for users who may edit it. */
    copied_from?: number;
    translations?: Translations;
    /** schema.org; single reads only. */
    json_ld?: {
        [key: string]: unknown;
    };
    /** Only for users who may read attendees. */
    attendance?: {
        total_attendees: number;
        checked_in: number;
        not_checked_in: number;
        /** RSVPs with the answer no, which `total_attendees` and `not_checked_in` include. */
        declined: number;
    };
    /** Providers with tickets for the event. */
    ticketed: (false | string[]) | null;
    /**
     * Present if a promotion code may open or reduce tickets of the event; single reads only. Absent under `/wp-json/tribe`.
     * @constant
     */
    takes_codes?: true;
}
/** Absent fields keep their values. The fields have the same meaning as in EventInput. */
export interface EventChange {
    author?: number | string | null;
    date?: string | null;
    date_utc?: string | null;
    /** @enum {string|null} */
    status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | null;
    image?: string | number | {
        id: number;
    } | false | null;
    title?: string | null;
    description?: string | null;
    slug?: string | null;
    excerpt?: string | null;
    timezone?: string | null;
    all_day?: boolean | null;
    start_date?: string;
    end_date?: string;
    cost?: string | number | (string | number)[] | null;
    /** Format: uri */
    website?: string | null;
    show_map?: boolean | null;
    show_map_link?: boolean | null;
    hide_from_listings?: boolean | null;
    sticky?: boolean | null;
    featured?: boolean | null;
    /** @enum {string|null} */
    event_status?: "scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online" | null;
    event_status_reason?: string | null;
    sale_stays_open?: boolean | null;
    previous_start_date?: string | null;
    /** @enum {string|null} */
    attendance_mode?: "on_site" | "online" | "mixed" | null;
    /** @enum {string|null} */
    online_access?: "holders" | "everyone" | null;
    /** Format: uri */
    online_url?: string | null;
    /** @example 19:30 */
    door_time?: string | null;
    accessibility?: string | null;
    categories?: (number | string | {
        id: number;
    })[] | number | string | null;
    tags?: (number | string | {
        id: number;
    })[] | number | string | null;
    venue?: number | VenueInput | (VenueChange & {
        id: number;
        /** Revision on which the change is based. */
        revision?: number;
    }) | (number | VenueInput | (VenueChange & {
        id: number;
        /** Revision on which the change is based. */
        revision?: number;
    }))[] | string | null;
    organizer?: number | OrganizerInput | (OrganizerChange & {
        id: number;
        /** Revision on which the change is based. */
        revision?: number;
    }) | (number | OrganizerInput | (OrganizerChange & {
        id: number;
        /** Revision on which the change is based. */
        revision?: number;
    }))[] | string | null;
    post_password?: string | null;
    post_parent?: number | null;
    /** Password of the event, if it has one. */
    password?: string;
    /** true: the sale periods and discounts of its tickets move by as many days as its start; sales that end when it starts still do. */
    move_sales?: boolean;
    /**
     * Of an occurrence of a series: `this` (by default) for it alone, `following` for it and later ones, `all` for all that are to come. Ignored under `/wp-json/tribe`.
     * @enum {string}
     */
    scope?: "this" | "following" | "all";
    /** true: also move, cancel or remove events of the series for which there are tickets, or places in carts. */
    confirm_holders?: boolean;
    /** Fields of an occurrence that stay its own, out of `series.own_fields`; all others take the value of the series again. After the other changes of the request, with `scope` `this` only. Ignored under `/wp-json/tribe`. */
    own_fields?: string[];
}
export interface EventDuplicate {
    /** Start of the copy, in the time zone of the event; by default the start of the event. The duration stays the same. */
    start_date?: string;
    /**
     * Status of the copy; `draft` by default.
     * @enum {string}
     */
    status?: "publish" | "draft" | "pending" | "private";
    /** true: the copy has the same tickets with the same capacities, none sold. Their sale periods move with the start. */
    with_tickets?: boolean;
    /** true: the copy has the password of the event. */
    with_password?: boolean;
}
export interface EventInput {
    /** Account of the author; editors and administrators may name an account other than their own. */
    author?: number | string | null;
    /** Publication date. A future date schedules the publication. */
    date?: string | null;
    /** Publication date in UTC. */
    date_utc?: string | null;
    /**
     * Publication status.
     * @enum {string|null}
     */
    status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | null;
    /** Id of an uploaded image, URL of an image, or an image in the form of responses, identified by its `id`. */
    image?: string | number | {
        id: number;
    } | false | null;
    /** Title. `null` removes its translation. */
    title: string | null;
    /** Description. HTML is cleaned. */
    description?: string | null;
    /** Slug; derived from the title by default. */
    slug?: string | null;
    /** Excerpt. HTML is cleaned. */
    excerpt?: string | null;
    /** Time zone of the event; by default, the time zone of the site. */
    timezone?: string | null;
    /** Whether it is an all-day event. */
    all_day?: boolean | null;
    /** Start, in the time zone of the event unless it has an offset. */
    start_date: string;
    /** End; not before the start. */
    end_date: string;
    /** Cost: a number, a text such as `$10 - $20` or `Free`, or a list. */
    cost?: string | number | (string | number)[] | null;
    /**
     * Format: uri
     * Web address of the event.
     */
    website?: string | null;
    /** Show a map on the page. */
    show_map?: boolean | null;
    /** Show a link to a map on the page. */
    show_map_link?: boolean | null;
    /** Hide it from lists. */
    hide_from_listings?: boolean | null;
    /** Pin it in the calendar view. */
    sticky?: boolean | null;
    /** Mark it as featured. */
    featured?: boolean | null;
    /**
     * Whether it takes place as announced. Tickets of a cancelled event are not sold, nor those of a postponed one without `sale_stays_open`.
     * @enum {string|null}
     */
    event_status?: "scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online" | null;
    /** Why it does not take place as announced. Plain text. */
    event_status_reason?: string | null;
    /** Keep selling its tickets while it is postponed. */
    sale_stays_open?: boolean | null;
    /** Original start. Set by the server when the start of a rescheduled event moves. */
    previous_start_date?: string | null;
    /**
     * How people attend it: at a venue, online, or both.
     * @enum {string|null}
     */
    attendance_mode?: "on_site" | "online" | "mixed" | null;
    /**
     * Readers of `online_url`: holders of a ticket that admits, or everyone.
     * @enum {string|null}
     */
    online_access?: "holders" | "everyone" | null;
    /**
     * Format: uri
     * Address for attending online. Shown to holders of a ticket that admits, unless `online_access` is `everyone`.
     */
    online_url?: string | null;
    /**
     * When the doors open, in the time zone of the event; later than its start: the evening before.
     * @example 19:30
     */
    door_time?: string | null;
    /** Information for people with disabilities. Plain text. */
    accessibility?: string | null;
    /** Categories by id, slug or name, or in the form of responses; unknown names are created. Empty removes all. */
    categories?: (number | string | {
        id: number;
    })[] | number | string | null;
    /** Tags by id, slug or name, or in the form of responses; unknown names are created. Empty removes all. */
    tags?: (number | string | {
        id: number;
    })[] | number | string | null;
    /** Venues by id, or as objects: without an `id` to create one, with an `id` in the form of responses. Fields of an object that differ from the venue change it; its `revision` must be the current one. Empty removes all. */
    venue?: number | VenueInput | (VenueChange & {
        id: number;
        /** Revision on which the change is based. */
        revision?: number;
    }) | (number | VenueInput | (VenueChange & {
        id: number;
        /** Revision on which the change is based. */
        revision?: number;
    }))[] | string | null;
    /** Organizers by id, or as objects: without an `id` to create one, with an `id` in the form of responses. Fields of an object that differ from the organizer change it; its `revision` must be the current one. Empty removes all. */
    organizer?: number | OrganizerInput | (OrganizerChange & {
        id: number;
        /** Revision on which the change is based. */
        revision?: number;
    }) | (number | OrganizerInput | (OrganizerChange & {
        id: number;
        /** Revision on which the change is based. */
        revision?: number;
    }))[] | string | null;
    /** Password required to read the event; empty removes it. Never returned. */
    post_password?: string | null;
    /** Event that this one is part of; 0 for none. */
    post_parent?: number | null;
}
export interface EventList {
    events: Event[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface EventRefundInput {
    /** Reason, for the log. */
    reason?: string;
    /** true: only say what would be given back. */
    dry_run?: boolean;
}
/** Progress of the refund of a cancelled event. */
export interface EventRefunds {
    event_id: number;
    /** Whether orders are being refunded. */
    is_running: boolean;
    /** Why the last attempt failed; empty if none did. */
    error: string;
    /** Still to be refunded. */
    left: {
        orders: number;
        places: number;
        /** By currency. */
        sums: {
            /** In the smallest unit of the currency. */
            minor: number;
            formatted: string;
            currency: string;
        }[];
        /** The part that payment services give back, by currency. */
        at_services: {
            /** In the smallest unit of the currency. */
            minor: number;
            formatted: string;
            currency: string;
        }[];
        /** The part that was received offline and is paid out by staff, by currency. */
        offline: {
            /** In the smallest unit of the currency. */
            minor: number;
            formatted: string;
            currency: string;
        }[];
    };
    /** Refunds of this action that have not failed. */
    done: {
        orders: number;
        /** By currency. */
        sums: {
            /** In the smallest unit of the currency. */
            minor: number;
            formatted: string;
            currency: string;
        }[];
    };
    /** Refunds that the payment service refused. At most 100 orders are listed. */
    failed: {
        refunds: number;
        orders: {
            id: number;
            number: string;
        }[];
    };
    /** Paid orders with places that are left to staff: with an open or disputed payment, a check-in, a pass, or money kept on purpose. At most 100 are listed. */
    by_hand: {
        count: number;
        orders: {
            id: number;
            number: string;
        }[];
    };
}
/** Reminder of an event by mail, the day before. */
export interface EventReminder {
    event_id: number;
    /** Choice for this event; null leaves it to the site. */
    own: boolean | null;
    /** Whether holders are reminded. */
    is_on: boolean;
    /** Time of the reminder. */
    due_utc: UtcTime;
}
export interface EventReminderInput {
    /** Choice for this event; null leaves it to the site. */
    own?: boolean | null;
}
/** For each ticket and for the shared places: capacity + over = sold + held + available, with blocked_by_others for tickets. */
export interface EventStock {
    event_id: number;
    tickets: {
        ticket_id: number;
        title: string;
        /** Only for a series pass. */
        pass?: {
            id: number;
            /** The date with the fewest places, which limits the others; null if none is sold. */
            tightest: {
                ticket_id: number;
                event_id: number;
            } | null;
        };
        /** `own`, `global`, `capped`; empty for no limit. */
        mode: string;
        /** Places; -1 without a limit. */
        capacity: number;
        /** Places; -1 without a limit. */
        available: number;
        sold: {
            total: number;
            /** RSVPs that take a place. */
            replies: number;
            /** Number of orders. */
            orders: number;
            /** At most 20, latest first. */
            latest_orders: {
                order_id: number;
                status: string;
                places: number;
                /** When the unpaid order expires; otherwise null. */
                until_utc: UtcTime | null;
            }[];
        };
        held: {
            total: number;
            /** Number of carts that hold places. */
            carts: number;
            /** At most 20, earliest expiry first. */
            next_holds: {
                /** For `DELETE /holds/{id}`. */
                id: number;
                places: number;
                until_utc: UtcTime;
            }[];
        };
        /** Places within its own limit that are unavailable because other tickets took the shared ones, or another date of a pass has fewer. */
        blocked_by_others: number;
        /** Places taken beyond the capacity, after it was lowered. */
        over: number;
    }[];
    /** The places shared by tickets of the event; null if none are. */
    pool: {
        /** Places; -1 without a limit. */
        capacity: number;
        sold: number;
        held: number;
        /** Places; -1 without a limit. */
        available: number;
        /** Sold places of deleted tickets; included in `sold`. */
        withdrawn: number;
        /** Places taken beyond the capacity, after it was lowered. */
        over: number;
    } | null;
}
/** A category or tag of an event. */
export interface EventTerm {
    name: string;
    slug: string;
    /** @constant */
    term_group: 0;
    term_taxonomy_id: number;
    taxonomy: string;
    description: string;
    parent: number;
    count: number;
    /** @constant */
    filter: "raw";
    id: number;
    /** Only for categories with a colour: `#rrggbb`. */
    color?: string;
    urls: {
        /** Format: uri */
        self: string;
        /** Format: uri */
        collection: string;
        /** Format: uri */
        up?: string;
    };
}
/** Number of example records by kind. */
export interface Examples {
    /** Whether this was a dry run. */
    dry_run: boolean;
    /** Whether the calendar may get examples; for created ones, true. */
    is_possible: boolean;
    events: number;
    venues: number;
    organizers: number;
    categories: number;
    tags: number;
    images: number;
    tickets: number;
    attendees: number;
    /** Languages of their texts. */
    languages: string[];
}
export interface ExamplesCreate {
    /** true: create nothing; the response has the counts, and whether the examples are possible. */
    dry_run?: boolean;
}
/** A fee on orders, or on each place. */
export interface Fee {
    id: number;
    name: string;
    /** In the smallest unit of the currency. */
    fixed: number;
    /** Part of the prices of the places, in thousandths of a percent. */
    rate: number;
    /** @enum {string} */
    per: "order" | "ticket";
    /** Event whose places it is charged on, without series passes; null for all places. */
    event_id: number | null;
    tax_rate_id: number | null;
    revision: number;
}
/** Absent fields keep their values. The fields have the same meaning as in FeeInput. */
export interface FeeChange {
    name?: string;
    fixed?: number;
    rate?: number;
    /** @enum {string} */
    per?: "order" | "ticket";
    event_id?: number | null;
    tax_rate_id?: number | null;
}
export interface FeeInput {
    /** Name on carts and orders. Plain text. */
    name: string;
    /** Fixed amount, in the smallest unit of the currency. */
    fixed?: number;
    /** Part of the prices of the places, in thousandths of a percent; 0 by default. */
    rate?: number;
    /**
     * Whether it is charged once for an order, or for each place that costs something.
     * @enum {string}
     */
    per: "order" | "ticket";
    /** Event whose places it is charged on, without series passes; by default all places. */
    event_id?: number | null;
    /** Tax on the fee; none by default. */
    tax_rate_id?: number | null;
}
export interface FeeList {
    fees: Fee[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** A difference between the ledger and a payment service. */
export interface Finding {
    id: number;
    /**
     * `missing-here`: the payment service has it, the ledger does not. `missing-at-service`: the opposite. `amount`: the amounts differ.
     * @enum {string}
     */
    kind: "missing-here" | "missing-at-service" | "amount";
    /** @enum {string} */
    record: "payment" | "refund";
    gateway: string;
    /** null if the payment is not known here. */
    order: {
        id: number;
        number: string;
    } | null;
    /** Id of the payment at this site, as the payment service states it. */
    payment_id: number;
    /** null for payments, and for refunds that are not known here. */
    refund_id: number | null;
    /** Id at the payment service; null if it has none. */
    external_id: string | null;
    /** Amount in the ledger; null if it is missing there. */
    booked: {
        /** In the smallest unit of the currency. */
        minor: number;
        formatted: string;
        currency: string;
    } | null;
    /** Amount at the payment service; null if it is missing there. */
    settled: {
        /** In the smallest unit of the currency. */
        minor: number;
        formatted: string;
        currency: string;
    } | null;
    /** Time of the payment or refund. */
    date_utc: UtcTime;
    /**
     * `gone`: the difference no longer exists. `closed`: closed by staff, with a note.
     * @enum {string}
     */
    status: "open" | "gone" | "closed";
    /** Note with which it was closed; otherwise empty. */
    note: string;
    /** Account that closed it; otherwise 0. */
    user_id: number;
    created_utc: UtcTime;
    modified_utc: UtcTime;
}
export interface FindingClosing {
    /** Outcome, for other staff. */
    note: string;
}
export interface FindingList {
    findings: Finding[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** A change of a record, with the values before and after. */
export interface FullAuditEntry {
    id: number;
    date_utc: UtcTime;
    /** null for a check-in key or a command. */
    user: {
        id: number;
        /** Name at the time of the change; empty once the account is deleted. */
        name: string;
    } | null;
    /**
     * Authentication method; like the following four, only for administrators.
     * @enum {string}
     */
    means?: "password" | "app-password" | "token" | "session" | "check-in-key" | "door-device" | "command-line";
    credential?: {
        id: number;
        name: string;
    } | null;
    /** The /24 or /48 network of the client; empty for a command. */
    network?: string;
    request_id?: string;
    /** @enum {string} */
    action: "created" | "changed" | "published" | "trashed" | "restored" | "deleted";
    /** @enum {string} */
    kind: "event" | "series" | "venue" | "organizer" | "category" | "tag" | "ticket" | "attendee" | "order" | "media" | "user" | "app_password" | "token" | "check_in_key" | "gate" | "door_device" | "door_clash" | "signing_key" | "tax_rate" | "fee" | "promotion" | "invoice" | "mail" | "mail_text" | "announcement" | "import" | "subscription" | "site";
    record_id: number;
    /** Empty if it would be the name of a person. */
    title: string;
    /** Revision after the change. */
    revision: number | null;
    /** Names of the changed fields. */
    fields: string[];
    changes: AuditChange[];
    /** Fields that a restore of this entry would not change. */
    not_restored: {
        field: string;
        language?: string;
        /**
         * The log has no values of personal data, secrets and long texts; a deleted record is not created again, a created one is not deleted; files, money and places are changed by other endpoints.
         * @enum {string}
         */
        reason: "personal" | "secret" | "long" | "deleted" | "created" | "read-only";
    }[];
}
/** A mail to a customer, with its text. */
export interface FullMail {
    id: number;
    /**
     * `order`: what to pay and how. `tickets`: the tickets of a complete order. `refund`: money given back. `my_tickets`: links to the current orders of an address, which its owner asked for. `payment_failed`, `place_cancelled`: about an order. `ticket_received`, `ticket_transferred`: to the new holder of a ticket, and to the former one. `rsvp`, `rsvp_changed`: an answer to an event. `reminder`: the day before. `announcement` and `event_…`: announcements to the holders of tickets. Others: to accounts.
     * @enum {string}
     */
    kind: "order" | "tickets" | "refund" | "payment_failed" | "place_cancelled" | "ticket_received" | "ticket_transferred" | "rsvp" | "rsvp_changed" | "reminder" | "announcement" | "event_moved" | "event_postponed" | "event_cancelled" | "my_tickets" | "invitation" | "sign-in" | "password" | "new-device" | "factor-removed" | "password-changed" | "address-changed" | "alert-payments" | "alert-jobs" | "alert-few-left" | "alert-sold-out" | "alert-orders";
    /** E-mail address. */
    to: string;
    /** Id of the order that it is about, or of the order of its reader’s ticket; null for several, and for a mail to an account. */
    order: number | null;
    /** Account to which it goes; 0 for a mail to a customer. */
    account: number;
    /** Id of the event, if it is about a single one. */
    event: number | null;
    /** Id of the attendee to whom it goes, if it is to a holder. */
    attendee: number | null;
    /**
     * `queued`: to be sent, to be tried again, or waiting for the limit of its mailbox. `sent`: accepted by the mail server. `failed`: refused by it. `held`: not sent, for want of a mail server or a week beyond the limit of a mailbox. `bounced`: came back.
     * @enum {string}
     */
    status: "queued" | "sent" | "failed" | "held" | "bounced";
    /** Last reply of the mail server, or the reason why there is none; empty before the first attempt. */
    reply: string;
    /** Attempts so far. */
    attempts: number;
    /** Time of the next attempt; null unless it is queued. */
    due_utc: UtcTime | null;
    sent_utc: UtcTime | null;
    created_utc: UtcTime;
    /** Account that asked for it; 0 for a mail that the server writes by itself. */
    user: number;
    /** `Message-ID` of every attempt; empty before the first. */
    message_id: string;
    subject: string | null;
    /** Plain text as it would be sent now: texts are not stored, and links that sign in are only in the mail itself. Null, as are `subject` and `html`, for an outdated mail. */
    text: string | null;
    html: string | null;
    /** Address to which it would be sent again: the current address of the customer or holder. Null if it opens a ticket that is gone or has another holder by now. */
    send_to: string | null;
}
/** An order with its items, attendees and log. */
export interface FullOrder {
    id: number;
    /** Short number for people, no secret. Absent under `/wp-json/tribe`. */
    number?: string;
    /** @enum {string} */
    status: "created" | "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided";
    /** Payment method: `manual`, `free`, a method of the site, or a payment provider. */
    gateway: string;
    purchaser: {
        name: string;
        email: string;
        /** 0 without an account. */
        user_id: number;
    };
    currency: string;
    total: Amount;
    date: LocalTime;
    date_utc: UtcTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    items: {
        ticket_id: number;
        event_id: number;
        title: string;
        /** Without cancelled places. */
        quantity: number;
        /** Number of individually cancelled places; absent for none. */
        cancelled?: number;
        price: Amount;
        subtotal: Amount;
        /** Only for a series pass, each of whose dates has a part of its price: the ticket by which it was bought. */
        pass?: {
            ticket_id: number;
        };
    }[];
    /** Reduction of the list prices by a promotion; absent for none. */
    discount?: Amount;
    /** Taxes by rate: those in the total, or in the kept money of an order without places. Absent for none. */
    taxes?: {
        /** Thousandths of a percent. */
        rate: number;
        amount: Amount;
    }[];
    attendees: {
        id: number;
        ticket_id: number;
        name: string;
        email: string;
        /** `publish`, or `trash` once archived. */
        status: string;
        checked_in: boolean;
        /** Only for a series pass. */
        pass?: AttendeePass;
    }[];
    /** Amounts besides the places: `fee`, `donation`, `kept` for money kept for cancelled places, and `credit` (negative) for money given back without a place. */
    charges: {
        kind: string;
        title: string;
        quantity: number;
        amount: Amount;
    }[];
    /** Oldest first. */
    payments: Payment[];
    /** Oldest first. */
    refunds: Refund[];
    /** Money received and not given back. */
    paid: Amount;
    /** Money received beyond the price of the places: it should be given back, or kept on purpose. Negative while something is to be paid. */
    owed: Amount;
    billing: Billing;
    /** For staff only, never shown to the customer. */
    note: string;
    log: {
        from: string;
        to: string;
        /**
         * Action, unless only the status changed.
         * @enum {string}
         */
        action?: "sale" | "payment" | "places" | "moved" | "new-code" | "purchaser" | "note";
        details?: {
            attendees?: number[];
            /** New ticket of the moved attendees. */
            ticket_id?: number;
            /** Price of cancelled places, in the smallest unit of the currency. */
            amount?: number;
            reason?: string;
            /** Gate of a sale at the door. */
            gate?: string;
            device?: string;
        };
        user_id: number;
        date_utc: UtcTime;
    }[];
    /** When a `pending` order expires, UTC; null for never, and for other statuses. */
    expires_utc: UtcTime | null;
    /** Statuses that the user may change the order to. */
    next: ("created" | "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided")[];
    /**
     * Format: uri
     * Page of the order; anyone with the link may act for the customer. For users who manage its attendees.
     */
    url?: string;
}
/** An entrance of one or several events, at which devices scan tickets. */
export interface Gate {
    /** What its devices may do: check in, check out, only look. */
    modes: ("in" | "out" | "look")[];
    /**
     * Whether a ticket admits again: never, after its holder was scanned out, or always.
     * @enum {string}
     */
    reentry: "never" | "after_out" | "always";
    /**
     * Names on its devices: in full, shortened to `Ada L.`, or none.
     * @enum {string}
     */
    names: "full" | "short" | "none";
    /** The only tickets that it admits; empty for all of its events. */
    ticket_ids: number[];
    /** Whether its devices may look for attendees by name. */
    may_search: boolean;
    /** Whether its devices may take their own scans back, for five minutes. */
    may_undo: boolean;
    /** Whether its devices may let the holder of a used ticket in again. */
    may_override: boolean;
    /** Whether its devices may sell places and take money. */
    may_sell: boolean;
    /** Whether its devices lock their list with a PIN. */
    needs_pin: boolean;
    /** Age of the list, in minutes, from which devices admit nothing on their own; null for any. */
    strict_minutes: number | null;
    id: number;
    name: string;
    /** Time from which its devices are refused, and erase their lists; null for never. */
    expires_utc: UtcTime | null;
    event_ids: number[];
    created_utc: UtcTime;
    /** Number of its paired devices that are not revoked. */
    devices: number;
}
/** Absent fields keep their values. The fields have the same meaning as in GateInput. */
export interface GateChange {
    name?: string;
    event_ids?: number[];
    modes?: ("in" | "out" | "look")[];
    /** @enum {string} */
    reentry?: "never" | "after_out" | "always";
    /** @enum {string} */
    names?: "full" | "short" | "none";
    ticket_ids?: number[] | null;
    may_search?: boolean;
    may_undo?: boolean;
    may_override?: boolean;
    may_sell?: boolean;
    needs_pin?: boolean;
    strict_minutes?: number | null;
    expires?: string | null;
}
export interface GateInput {
    /** Name, as people at the door call it. Plain text. */
    name: string;
    /** Events, at most 50. */
    event_ids: number[];
    /** What its devices may do: `in`, `out`, `look`. Default: all. */
    modes?: ("in" | "out" | "look")[];
    /**
     * `never`: a ticket admits once. `after_out` (default): again after its holder was scanned out. `always`: any number of times.
     * @enum {string}
     */
    reentry?: "never" | "after_out" | "always";
    /**
     * Names on its devices: `full` (default), `short` for `Ada L.`, or `none`.
     * @enum {string}
     */
    names?: "full" | "short" | "none";
    /** The only tickets that it admits; null for all of its events. */
    ticket_ids?: number[] | null;
    /** Whether its devices may look for attendees by name; default true. */
    may_search?: boolean;
    /** Whether its devices may take their own scans back, for five minutes; default true. */
    may_undo?: boolean;
    /** Whether its devices may let the holder of a used ticket in again; default false. */
    may_override?: boolean;
    /** Whether its devices may sell places and take money; for accounts that may sell. Default false. */
    may_sell?: boolean;
    /** Whether its devices lock their list with a PIN; default false. */
    needs_pin?: boolean;
    /** Age of the list, in minutes, from which devices admit nothing on their own; null for any. */
    strict_minutes?: number | null;
    /** Time from which its devices are refused; null for never. */
    expires?: string | null;
}
export interface GateList {
    gates: Gate[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** A ticket for Google Wallet. */
export interface GoogleWallet {
    /** Address at Google, which adds the ticket to the wallet of any account that opens it. */
    url: string;
}
export interface GuestInput {
    ticket_id: number;
    full_name?: string;
    /** Format: email */
    email?: string;
    optout?: boolean;
    /** Answers to registration questions. Plain text: tags are removed from keys and texts. At most 200 keys and items in 5 levels, 200 characters per key and 20,000 in all for each person; without their tags, keys of an object must be unique and not empty. */
    information?: {
        [key: string]: unknown;
    };
}
/** The event of a ticket, for its holder. */
export interface HeldEvent {
    id: number;
    title: string;
    /** Format: uri */
    url: string;
    all_day: boolean;
    start_date: LocalTime;
    end_date: LocalTime;
    timezone: string;
    utc_start_date: UtcTime;
    utc_end_date: UtcTime;
    /**
     * Format: uri
     * Address for attending online; only for a ticket that admits.
     */
    online_url?: string;
    /**
     * Absent for an event that takes place as planned, and in lists of attendees.
     * @enum {string}
     */
    event_status?: "scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online";
    /** Note of the organizer, as plain text; only with `event_status`. Absent with the security code alone. */
    event_status_reason?: string;
    /** Start before the event was rescheduled, in its time zone. */
    previous_start_date?: LocalTime;
}
/** A series pass: tickets with the same id have one code and one page. */
export interface HeldPass {
    /** Its first attendee, whose id the QR code has. */
    id: number;
    /** By start; only in responses with a single ticket. */
    dates?: {
        /** Id of the attendee. */
        id: number;
        event: HeldEvent;
        /** `publish`, or `trash` once it is cancelled. */
        status: string;
        admits: boolean;
        checked_in: boolean;
    }[];
}
/** A ticket, for its customer or holder. */
export interface HeldTicket {
    /** Id of the attendee. */
    id: number;
    ticket_id: number;
    /** Name of the ticket. */
    title: string;
    /** @enum {string} */
    provider: "rsvp" | "tc";
    /** Only for a series pass; absent under `/wp-json/tribe`. */
    pass?: HeldPass;
    /** null once the event is deleted. */
    event: HeldEvent | null;
    /** Absent with the security code alone. For the customer of a transferred ticket, the name of the recipient. */
    full_name?: string;
    /** For the customer only, unless the ticket was transferred. */
    email?: string;
    /** Whether the name is hidden from public lists. Absent with the security code alone. */
    optout?: boolean;
    /** `publish`, or `trash` once the ticket is cancelled. */
    status: string;
    /** RSVP answer, or status of the order. */
    attendee_status: string;
    /** Whether its order is paid, or its RSVP is a yes; only then the code admits. */
    admits: boolean;
    /** For the holder of the first ticket of an RSVP: other attendees whose answer it may change, without transferred tickets. Absent if there are none. */
    companions?: {
        id: number;
        full_name: string;
        attendee_status: string;
        checked_in: boolean;
    }[];
    /** Only for a ticket of an order that is to be paid at the door. Absent with the security code alone. */
    unpaid?: Unpaid;
    /** For the customer: when the ticket was transferred. Its code is on the page of its new holder only. */
    transferred_utc?: UtcTime;
    checked_in: boolean;
    checkin_utc: UtcTime | null;
    /** Admits the holder; only for a ticket that admits, or that is to be paid at the door. Absent with the code alone. */
    security_code?: string;
    /**
     * Format: uri
     * Page of the ticket, accessible to anyone with the link; its last segment is the token for `X-Ticket-Token`. Only with `security_code`.
     */
    url?: string;
}
export interface HeldTicketChange {
    /** Security code of the ticket, which alone is refused: 403 `ticket-link-required`. */
    security_code?: string;
    /** Name of the holder. Plain text. */
    full_name?: string;
    /** Whether the name is hidden from public lists. */
    optout?: boolean | null;
}
export interface HolderInput {
    /** Id of the attendee. */
    id: number;
    /** Name of the holder. Plain text. */
    full_name?: string;
    /**
     * Format: email
     * E-mail address of the holder.
     */
    email?: string;
    /** Whether the name is hidden from public lists. */
    optout?: boolean;
}
/** A featured image. `sizes` is absent when the original is too small for any rendition; `alt` and `focus` are absent only under `/wp-json/tribe`: no text, and the centre. */
export interface Image {
    /** Format: uri */
    url: string;
    id: number;
    extension: string;
    width: number;
    height: number;
    filesize: number;
    sizes?: {
        [key: string]: ImageSize;
    };
    /** Alternative text, which describes the image. */
    alt?: string;
    /** Focal point, which stays visible when the image is cropped, in per cent from the left and from the top. */
    focus?: {
        x: number;
        y: number;
    };
}
/** One rendition of an image. Sizes in pixels and bytes. */
export interface ImageSize {
    width: number;
    height: number;
    "mime-type": string;
    filesize: number;
    /** Format: uri */
    url: string;
}
export interface ImageUses {
    /** Number of records visible to the user. */
    total: number;
    is_logo: boolean;
    is_in_site_texts: boolean;
    /** At most 100. A picture in the description of a ticket counts as used by its event. */
    used_by: {
        kind: string;
        id: number;
        title: string;
        status: string;
    }[];
}
/** An import of records from another site, a file or a calendar. */
export interface Import {
    id: number;
    /**
     * `wordpress`: a running site. `wxr`, `sql`: an export file or a dump of one. `ical`: a calendar. `csv`: a table.
     * @enum {string}
     */
    kind: "wordpress" | "wxr" | "sql" | "ical" | "csv";
    /**
     * `uploading`: waits for parts of the file. `mapping`: the columns of a table wait for confirmation. `planning`, `importing`, `undoing`: in the background. `planned`: waits to be started.
     * @enum {string}
     */
    state: "uploading" | "mapping" | "planning" | "planned" | "importing" | "finished" | "failed" | "cancelled" | "undoing" | "undone";
    /** Empty for an import from an address. */
    file_name: string;
    /** Empty for a file. */
    address: string;
    /** Account that created it. */
    user: number;
    /** Bytes of the file. */
    size: number;
    /** Bytes that have arrived. */
    received: number;
    /** Status of new events of a calendar or a table. */
    status: string;
    /** Categories of all events of a calendar. */
    categories: string[];
    /** Whether the source replaces what was changed here. */
    theirs: boolean;
    /** Whether the whole media library is imported. */
    media: boolean;
    /**
     * Content of the rows of a table.
     * @enum {string}
     */
    rows: "events" | "venues" | "organizers" | "attendees";
    /** Step in progress, such as a kind of record. */
    step: string;
    /** Page of the step; for calendars and tables, the number of records read. */
    page: number;
    /** Records so far. */
    done: number;
    /** Number of records in the plan; null while it is being made. */
    total: number | null;
    /** Numbers of records by outcome and kind. Outcomes are `created`, `changed`, `same`, `conflict` and `cannot`; after an undo also `removed`, `restored` and `kept`. */
    planned: {
        [key: string]: {
            [key: string]: number;
        };
    };
    /** Numbers of records by outcome and kind. Outcomes are `created`, `changed`, `same`, `conflict` and `cannot`; after an undo also `removed`, `restored` and `kept`. */
    counts: {
        [key: string]: {
            [key: string]: number;
        };
    };
    /** Records that the source no longer has, by kind. They stay. */
    gone: {
        [key: string]: number;
    };
    /**
     * Why it failed. `source`: see `detail`. `crashed`: the server stopped several times while it ran. `internal`: the log of the server has the reason. `undo`: it cannot be undone, see `detail`. `account`: the account that started it was deleted or has lost its rights.
     * @enum {string}
     */
    problem: "" | "source" | "crashed" | "internal" | "undo" | "account";
    /** Sentence about the problem. */
    detail: string;
    /** Whether it stops after the current page. */
    is_stopping: boolean;
    /** Whether it can be started, or continued. */
    is_startable: boolean;
    is_undoable: boolean;
    /** Whether its file and its plan can be erased. */
    is_discardable: boolean;
    /** Whether its start needs the password again: the password is erased when the import ends. */
    needs_password: boolean;
    created_utc: UtcTime;
    begun_utc: UtcTime | null;
    finished_utc: UtcTime | null;
    /** Time at which file and plan were erased. */
    erased_utc: UtcTime | null;
}
export interface ImportColumnsInput {
    /** Field of each column of the table, in their order; empty for a column that is not imported. */
    columns: string[];
}
/** An import with its columns and the numbers of its findings. */
export interface ImportDetails {
    id: number;
    /**
     * `wordpress`: a running site. `wxr`, `sql`: an export file or a dump of one. `ical`: a calendar. `csv`: a table.
     * @enum {string}
     */
    kind: "wordpress" | "wxr" | "sql" | "ical" | "csv";
    /**
     * `uploading`: waits for parts of the file. `mapping`: the columns of a table wait for confirmation. `planning`, `importing`, `undoing`: in the background. `planned`: waits to be started.
     * @enum {string}
     */
    state: "uploading" | "mapping" | "planning" | "planned" | "importing" | "finished" | "failed" | "cancelled" | "undoing" | "undone";
    /** Empty for an import from an address. */
    file_name: string;
    /** Empty for a file. */
    address: string;
    /** Account that created it. */
    user: number;
    /** Bytes of the file. */
    size: number;
    /** Bytes that have arrived. */
    received: number;
    /** Status of new events of a calendar or a table. */
    status: string;
    /** Categories of all events of a calendar. */
    categories: string[];
    /** Whether the source replaces what was changed here. */
    theirs: boolean;
    /** Whether the whole media library is imported. */
    media: boolean;
    /**
     * Content of the rows of a table.
     * @enum {string}
     */
    rows: "events" | "venues" | "organizers" | "attendees";
    /** Step in progress, such as a kind of record. */
    step: string;
    /** Page of the step; for calendars and tables, the number of records read. */
    page: number;
    /** Records so far. */
    done: number;
    /** Number of records in the plan; null while it is being made. */
    total: number | null;
    /** Numbers of records by outcome and kind. Outcomes are `created`, `changed`, `same`, `conflict` and `cannot`; after an undo also `removed`, `restored` and `kept`. */
    planned: {
        [key: string]: {
            [key: string]: number;
        };
    };
    /** Numbers of records by outcome and kind. Outcomes are `created`, `changed`, `same`, `conflict` and `cannot`; after an undo also `removed`, `restored` and `kept`. */
    counts: {
        [key: string]: {
            [key: string]: number;
        };
    };
    /** Records that the source no longer has, by kind. They stay. */
    gone: {
        [key: string]: number;
    };
    /**
     * Why it failed. `source`: see `detail`. `crashed`: the server stopped several times while it ran. `internal`: the log of the server has the reason. `undo`: it cannot be undone, see `detail`. `account`: the account that started it was deleted or has lost its rights.
     * @enum {string}
     */
    problem: "" | "source" | "crashed" | "internal" | "undo" | "account";
    /** Sentence about the problem. */
    detail: string;
    /** Whether it stops after the current page. */
    is_stopping: boolean;
    /** Whether it can be started, or continued. */
    is_startable: boolean;
    is_undoable: boolean;
    /** Whether its file and its plan can be erased. */
    is_discardable: boolean;
    /** Whether its start needs the password again: the password is erased when the import ends. */
    needs_password: boolean;
    created_utc: UtcTime;
    begun_utc: UtcTime | null;
    finished_utc: UtcTime | null;
    /** Time at which file and plan were erased. */
    erased_utc: UtcTime | null;
    /** Columns of a table, each with its recognised or chosen field; empty for none. */
    columns: {
        heading: string;
        field: string;
        samples: string[];
    }[];
    /** Fields to which columns of a table can be mapped. */
    fields: string[];
    /** Findings by code. The messages are in English. */
    findings: {
        code: string;
        message: string;
        count: number;
    }[];
}
/** A note or problem to review after an import. */
export interface ImportFinding {
    id: number;
    /** Kind of the record; `line` for a line of a file, empty for the import as a whole. */
    kind: string;
    /** Id at the source, or the line; 0 for the import as a whole. */
    foreign_id: number;
    code: string;
    /** Sentence in English. */
    message: string;
    detail: string;
    /** The record on this site, once it is imported. */
    record: {
        kind: string;
        id: number;
    } | null;
}
export interface ImportFindings {
    findings: ImportFinding[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface ImportInput {
    /**
     * Required with an address: `wordpress` or `ical`. The kind of a file follows from its name.
     * @enum {string}
     */
    kind?: "wordpress" | "wxr" | "sql" | "ical" | "csv";
    /** Name of the file, which ends in .sql, .sql.gz, .xml, .ics, .ical, .csv, .xlsx, .tsv, .txt. Plain text. */
    file_name?: string;
    /** Bytes of the file, at most `MARQUEE_IMPORT_MB`. */
    size?: number;
    /**
     * Format: uri
     * Web address of the site or the calendar, in place of a file.
     */
    address?: string;
    /** Account at the site; without one, only what visitors see is read. Plain text. */
    username?: string;
    /** Password of the account, or an application password. It is erased when the import ends. */
    password?: string;
    /**
     * Status of new events of a calendar or a table.
     * @enum {string}
     */
    status?: "publish" | "pending" | "draft" | "private";
    /** Names of categories of all events of a calendar. */
    categories?: string[];
    /** true: the source also replaces what was changed here since the last import. */
    theirs?: boolean;
    /** true: the whole media library of a site, not only the images that records use. */
    media?: boolean;
    /**
     * Content of the rows of a table.
     * @enum {string}
     */
    rows?: "events" | "venues" | "organizers" | "attendees";
    /** Beginning of the names of tables in a dump, if there are several sites. Plain text. */
    prefix?: string;
    /** Field of each column of the table, in their order; empty for a column that is not imported. */
    columns?: string[];
}
export interface ImportList {
    imports: Import[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface ImportPlan {
    plan: ImportPlanRow[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** What an import would do with a record. */
export interface ImportPlanRow {
    /** From 1, in the order of the source. */
    number: number;
    /** @enum {string} */
    action: "create" | "change" | "same" | "conflict" | "cannot";
    kind: string;
    /** Id at the source; for a file, the line. */
    foreign_id: number;
    title: string;
    /** Fields that change; for a `conflict`, fields that were changed here and stay. */
    fields: string[];
    /** Notes on the record; for `cannot`, the first note is the reason. The messages are in English. */
    notes: {
        code: string;
        message: string;
        detail: string;
    }[];
    /** The record on this site, once it is imported. */
    record: {
        kind: string;
        id: number;
    } | null;
}
export interface ImportStartInput {
    /** Password of the account at the site, to continue an import that ended: it was erased then. */
    password?: string;
    /** Name of the account; required with `password`. Plain text. */
    username?: string;
}
export interface ImportUndoInput {
    /** true: keeps what was sold, and undoes the rest. */
    except_sold?: boolean;
}
/** The routes of a namespace. */
export interface Index {
    namespace: string;
    /** Pattern of the path -> methods and parameters. */
    routes: {
        [key: string]: unknown;
    };
    _links: {
        [key: string]: unknown;
    };
}
/** An invoice or a credit note, as it was issued. */
export interface Invoice {
    id: number;
    /** Such as `2026-0001`. */
    number: string;
    /**
     * `credit`: a credit note.
     * @enum {string}
     */
    kind: "invoice" | "credit";
    order: {
        id: number;
        number: string;
    };
    /** Day of issue in the time zone of the site. */
    date: string;
    issued_utc: UtcTime;
    currency: string;
    /** Of a credit note, the money that it takes back. */
    total: Amount;
    /** Number of the invoice that a credit note corrects. */
    corrects: string | null;
    customer: InvoiceCustomer;
    language: string;
    /** Whether it was issued before the order was paid. */
    is_due: boolean;
    seller: {
        name: string;
        address: string;
        vat_number: string;
        note: string;
    };
    lines: {
        /** `place`, a kind of charge, or `balance`: money that is still to be given back. */
        kind: string;
        title: string;
        /** Event of a place; otherwise empty. */
        event: string;
        /** First day of the event there; null for other lines. */
        from: string | null;
        until: string | null;
        quantity: number;
        /** With tax. */
        unit_price: Amount;
        /** Thousandths of a percent. */
        tax_rate: number;
        /** Tax in `total`. */
        tax: Amount;
        total: Amount;
    }[];
    /** Reduction of the list prices that the lines contain. */
    discount: Amount;
    /** By rate: the amount without tax, and the tax. Empty without taxes. */
    taxes: {
        rate: number;
        net: Amount;
        tax: Amount;
    }[];
}
/** Customer of an invoice; empty texts for what was not given. */
export interface InvoiceCustomer {
    name: string;
    email: string;
    company: string;
    vat_number: string;
    address: string;
}
export interface InvoiceList {
    invoices: ListedInvoice[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface IssuedInvoices {
    invoices: Invoice[];
}
/** A background job. */
export interface Job {
    id: number;
    kind: string;
    /** Name of the effect: at most one waiting job has it. */
    key: string | null;
    /**
     * `dead`: failed for good, kept for 90 days. A finished job is deleted.
     * @enum {string}
     */
    state: "ready" | "running" | "dead";
    /** Time of the next attempt; of a running job, the end of its lease; of a dead one, its last attempt. */
    due_utc: UtcTime;
    /** Attempts so far. */
    attempts: number;
    /** Reason why the last attempt failed; empty if none did. */
    error: string;
    /** Parameters of the job, such as ids. */
    payload: {
        [key: string]: string | number;
    };
    /** Record that the job works for. */
    record: {
        kind: string;
        id: number;
    } | null;
    created_utc: UtcTime;
}
/** Numbers of background jobs. */
export interface JobCounts {
    counts: {
        kind: string;
        /** @enum {string} */
        state: "ready" | "running" | "dead";
        count: number;
    }[];
}
export interface JobList {
    jobs: Job[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface JobRetryInput {
    /** Only jobs of this kind. */
    kind?: string;
    /** Only jobs that died since this time, in the time zone of the site unless it names one. */
    since?: string;
}
/**
 * Language of content and messages; by default, chosen by Accept-Language.
 * @enum {string}
 */
export type Language = "en" | "fr";
export interface LegalLink {
    label: string;
    /** Format: uri */
    url: string;
}
export interface LegalLinkInput {
    /** Text of the link. Plain text. */
    label: string | null;
    /**
     * Format: uri
     * URL with http or https.
     */
    url: string | null;
}
/** An attendee, for staff. */
export interface ListedAttendee {
    id: number;
    event_id: number;
    ticket_id: number;
    /** Name of the ticket. */
    ticket: string;
    /** null for RSVP. */
    order_id: number | null;
    /** @enum {string} */
    provider: "rsvp" | "tc";
    full_name: string;
    email: string;
    optout: boolean;
    /** Only for a series pass. */
    pass?: AttendeePass;
    /** `publish`, or `trash` once archived. */
    status: string;
    /** RSVP answer, or status of the order. */
    attendee_status: string;
    /** Price paid for the place. */
    paid: Amount;
    date: LocalTime;
    date_utc: UtcTime;
    checked_in: boolean;
    checkin_utc: UtcTime | null;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    /** With `with=event`; null once the event is deleted. */
    event?: HeldEvent | null;
    /** With `with=order`; null for RSVP, and for orders that the user may not see. */
    order?: Order | null;
    /** With `with=code_end`: last four characters of the security code, for printed lists; null where the user may not see orders. */
    code_end?: string | null;
}
/** An invoice or a credit note in a list. */
export interface ListedInvoice {
    id: number;
    /** Such as `2026-0001`. */
    number: string;
    /**
     * `credit`: a credit note.
     * @enum {string}
     */
    kind: "invoice" | "credit";
    order: {
        id: number;
        number: string;
    };
    /** Day of issue in the time zone of the site. */
    date: string;
    issued_utc: UtcTime;
    currency: string;
    /** Of a credit note, the money that it takes back. */
    total: Amount;
    /** Number of the invoice that a credit note corrects. */
    corrects: string | null;
    customer: InvoiceCustomer;
}
/** An order, with its events. */
export interface ListedOrder {
    id: number;
    /** Short number for people, no secret. Absent under `/wp-json/tribe`. */
    number?: string;
    /** @enum {string} */
    status: "created" | "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided";
    /** Payment method: `manual`, `free`, a method of the site, or a payment provider. */
    gateway: string;
    purchaser: {
        name: string;
        email: string;
        /** 0 without an account. */
        user_id: number;
    };
    currency: string;
    total: Amount;
    date: LocalTime;
    date_utc: UtcTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    /** Number of places, without cancelled ones. */
    places: number;
    /** Events of its tickets. */
    events: {
        id: number;
        /** Empty once the event is deleted. */
        title: string;
    }[];
    /** Money received beyond the price of the places: it should be given back, or kept on purpose. Negative while something is to be paid. */
    owed: Amount;
}
/**
 * `YYYY-MM-DD HH:MM:SS` in the time zone of the site or of the event.
 * @example 2027-03-06 18:30:00
 */
export type LocalTime = string;
/** A mail to a customer. */
export interface Mail {
    id: number;
    /**
     * `order`: what to pay and how. `tickets`: the tickets of a complete order. `refund`: money given back. `my_tickets`: links to the current orders of an address, which its owner asked for. `payment_failed`, `place_cancelled`: about an order. `ticket_received`, `ticket_transferred`: to the new holder of a ticket, and to the former one. `rsvp`, `rsvp_changed`: an answer to an event. `reminder`: the day before. `announcement` and `event_…`: announcements to the holders of tickets. Others: to accounts.
     * @enum {string}
     */
    kind: "order" | "tickets" | "refund" | "payment_failed" | "place_cancelled" | "ticket_received" | "ticket_transferred" | "rsvp" | "rsvp_changed" | "reminder" | "announcement" | "event_moved" | "event_postponed" | "event_cancelled" | "my_tickets" | "invitation" | "sign-in" | "password" | "new-device" | "factor-removed" | "password-changed" | "address-changed" | "alert-payments" | "alert-jobs" | "alert-few-left" | "alert-sold-out" | "alert-orders";
    /** E-mail address. */
    to: string;
    /** Id of the order that it is about, or of the order of its reader’s ticket; null for several, and for a mail to an account. */
    order: number | null;
    /** Account to which it goes; 0 for a mail to a customer. */
    account: number;
    /** Id of the event, if it is about a single one. */
    event: number | null;
    /** Id of the attendee to whom it goes, if it is to a holder. */
    attendee: number | null;
    /**
     * `queued`: to be sent, to be tried again, or waiting for the limit of its mailbox. `sent`: accepted by the mail server. `failed`: refused by it. `held`: not sent, for want of a mail server or a week beyond the limit of a mailbox. `bounced`: came back.
     * @enum {string}
     */
    status: "queued" | "sent" | "failed" | "held" | "bounced";
    /** Last reply of the mail server, or the reason why there is none; empty before the first attempt. */
    reply: string;
    /** Attempts so far. */
    attempts: number;
    /** Time of the next attempt; null unless it is queued. */
    due_utc: UtcTime | null;
    sent_utc: UtcTime | null;
    created_utc: UtcTime;
    /** Account that asked for it; 0 for a mail that the server writes by itself. */
    user: number;
}
export interface MailBounce {
    /** Address to which the mail was returned: its envelope sender. Plain text. */
    address?: string;
    /** `Message-ID` of the mail. */
    message_id?: string;
    /** Report of a mail server (RFC 3464); its first 65536 characters suffice. */
    message?: string;
    /** Reason in the words of the other server, such as `550 5.1.1 no such user`. Plain text. */
    reason?: string;
}
export interface MailList {
    mails: Mail[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** A mail about a sample: its order, code and links lead nowhere. */
export interface MailPreview {
    subject: string;
    text: string;
    html: string;
    /** Placeholders for which mails of the kind have values. */
    placeholders: ("event" | "date" | "venue" | "name" | "order" | "site")[];
    /** Address to which a test mail is on its way. */
    sent_to: string | null;
}
export interface MailPreviewInput {
    /**
     * Kind of mail.
     * @enum {string}
     */
    kind: "order" | "tickets" | "refund" | "payment_failed" | "place_cancelled" | "ticket_received" | "ticket_transferred" | "rsvp" | "rsvp_changed" | "reminder" | "announcement" | "event_moved" | "event_postponed" | "event_cancelled";
    /** Language of the site. */
    language: string;
    /** Id of an event; by default the texts are for all events. */
    event?: number;
    /** Subject, with placeholders such as `{event}`. Plain text. */
    subject?: string | null;
    /** Introduction, plain text with placeholders; a blank line begins a paragraph. */
    introduction?: string | null;
    /** true: also send a test mail to the address of the own account. */
    send?: boolean;
}
export interface MailSending {
    /**
     * Format: email
     * Another address, for users who manage the attendees of all events (otherwise `mail-address-fixed`); the mail is about the same order. Mails to accounts go to their own address only.
     */
    to?: string;
}
/** Texts of organizers in mails of a kind, in one language. */
export interface MailText {
    id: number;
    /** @enum {string} */
    kind: "order" | "tickets" | "refund" | "payment_failed" | "place_cancelled" | "ticket_received" | "ticket_transferred" | "rsvp" | "rsvp_changed" | "reminder" | "announcement" | "event_moved" | "event_postponed" | "event_cancelled";
    language: string;
    /** Id of the event; null for all events. */
    event: number | null;
    /** Empty for the default. */
    subject: string;
    /** Empty for the default. */
    introduction: string;
    modified_utc: UtcTime;
}
export interface MailTextInput {
    /**
     * Kind of mail.
     * @enum {string}
     */
    kind: "order" | "tickets" | "refund" | "payment_failed" | "place_cancelled" | "ticket_received" | "ticket_transferred" | "rsvp" | "rsvp_changed" | "reminder" | "announcement" | "event_moved" | "event_postponed" | "event_cancelled";
    /** Language of the site. */
    language: string;
    /** Id of an event; by default the texts are for all events. */
    event?: number;
    /** Subject, with placeholders such as `{event}`. Plain text. */
    subject?: string | null;
    /** Introduction, plain text with placeholders; a blank line begins a paragraph. */
    introduction?: string | null;
}
export interface MailTextList {
    mail_texts: MailText[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface MailedLinkRequest {
    /**
     * Format: email
     * E-mail address of the account.
     */
    email: string;
    /**
     * What the link is for; by default `password`.
     * @enum {string}
     */
    purpose?: "password" | "sign-in";
}
/** A mail is sent, if the address belongs to an account. */
export interface MailedLinkRequested {
    /** @constant */
    requested: true;
}
/** One-time link that was sent to the account by mail. */
export interface MailedSignInLink {
    expires_utc: UtcTime;
}
/** The authenticated account. */
export interface Me {
    id: number;
    username: string;
    email: string;
    /** @enum {string} */
    role: "administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office";
    /** Whether the account may give money back although its role may not; administrators always may. */
    may_refund: boolean;
    /** Language of mails to the account; empty for the first of the site. */
    language: string;
    /** Alerts that the account gets by mail. */
    alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Alerts that its rights allow. */
    available_alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Rights of the role, restricted by the scopes of a token. */
    capabilities: ("read_own" | "edit" | "manage_own_tickets" | "edit_published" | "publish" | "upload" | "manage_categories" | "manage_own_published_tickets" | "manage_own_attendees" | "read_own_attendees" | "check_in_own" | "read_others" | "edit_others" | "manage_tags" | "manage_tickets" | "manage_attendees" | "read_attendees" | "check_in" | "read_orders" | "sell" | "export_attendees" | "refund" | "manage_users" | "manage_site" | "operate")[];
    /** Only for requests with a token. */
    scopes?: ("read" | "events:write" | "tickets:write" | "checkin" | "money:write" | "admin")[];
    second_factor: {
        is_enabled: boolean;
        /** Whether the role requires one. Without one, a session can only set it up. */
        is_required: boolean;
        /** Number of unused recovery codes. */
        recovery_codes: number;
    };
    /** Only for sessions: whether it began with a link within the last hour, so that a password can be set without the current one. */
    may_set_password?: boolean;
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface MeRepeated {
    id: number;
    username: string;
    email: string;
    /** @enum {string} */
    role: "administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office";
    /** Whether the account may give money back although its role may not; administrators always may. */
    may_refund: boolean;
    /** Language of mails to the account; empty for the first of the site. */
    language: string;
    /** Alerts that the account gets by mail. */
    alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Alerts that its rights allow. */
    available_alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Rights of the role, restricted by the scopes of a token. */
    capabilities: ("read_own" | "edit" | "manage_own_tickets" | "edit_published" | "publish" | "upload" | "manage_categories" | "manage_own_published_tickets" | "manage_own_attendees" | "read_own_attendees" | "check_in_own" | "read_others" | "edit_others" | "manage_tags" | "manage_tickets" | "manage_attendees" | "read_attendees" | "check_in" | "read_orders" | "sell" | "export_attendees" | "refund" | "manage_users" | "manage_site" | "operate")[];
    /** Only for requests with a token. */
    scopes?: ("read" | "events:write" | "tickets:write" | "checkin" | "money:write" | "admin")[];
    second_factor: {
        is_enabled: boolean;
        /** Whether the role requires one. Without one, a session can only set it up. */
        is_required: boolean;
        /** Number of unused recovery codes. */
        recovery_codes: number;
    };
    /** Only for sessions: whether it began with a link within the last hour, so that a password can be set without the current one. */
    may_set_password?: boolean;
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
/** An uploaded image. */
export interface Media {
    /** Format: uri */
    url: string;
    id: number;
    extension: string;
    width: number;
    height: number;
    filesize: number;
    sizes?: {
        [key: string]: ImageSize;
    };
    /** Alternative text, which describes the image. */
    alt?: string;
    /** Focal point, which stays visible when the image is cropped, in per cent from the left and from the top. */
    focus?: {
        x: number;
        y: number;
    };
    /** Title; defaults to the file name. */
    title: string;
    author: string;
    date_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    translations?: Translations;
}
export interface MediaList {
    media: Media[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface MediaReplace {
    /**
     * Format: binary
     * The image.
     */
    file?: Blob;
}
export interface MediaUpdate {
    /** Title; defaults to the file name. Plain text. */
    title?: string | null;
    /** Alternative text, which describes the image. Plain text. */
    alt?: string | null;
    /** Focal point, which stays visible when the image is cropped, in per cent from the left and from the top. */
    focus?: {
        x: number;
        y: number;
    } | null;
}
export interface MediaUpload {
    /**
     * Format: binary
     * The image.
     */
    file?: Blob;
    /** Title; defaults to the file name. Plain text. */
    title?: string | null;
    /** Alternative text, which describes the image. Plain text. */
    alt?: string | null;
    /**
     * Focal point, which stays visible when the image is cropped, in per cent from the left and from the top. JSON, or two fields `focus[x]` and `focus[y]`.
     * @example {"x": 50, "y": 50}
     */
    focus?: string | null;
}
/** Effects of a merge or a dry run. */
export interface Merge {
    /** Id of the merge, for undoing it; null for a dry run. */
    merge: number | null;
    kind: string;
    survivor: number;
    merged: {
        id: number;
        title: string;
        /** Number of events linked to it. */
        events: number;
        /** Number of its child categories. */
        children: number;
    }[];
    /** Number of events linked to any of them. */
    events: number;
    undo_until_utc: UtcTime | null;
}
/** A date of a series pass without a place. */
export interface MissingDate {
    /** First attendee of the pass. */
    attendee_id: number;
    order_id: number | null;
    full_name: string;
    /** Ticket of the pass in the event; null if the pass has too many dates for one. */
    ticket_id: number | null;
    event_id: number;
    event: HeldEvent | null;
}
export interface MissingDateList {
    dates: MissingDate[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface MissingTexts {
    missing: {
        kind: string;
        id: number;
        /** In the first language; for an image, its title. */
        title: string;
        /** Event of a ticket. */
        event?: number;
    }[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** Payments of a range of days, refunds that were requested in it, and money that banks took back in it. */
export interface MoneyReport {
    /** Format: date */
    from: string;
    /** Format: date */
    to: string;
    timezone: string;
    totals: {
        /** Number of payments. */
        payments: number;
        /** One amount for each currency of the orders; if there are none, in the currency of the site. */
        received: CurrencyAmount[];
        /** Taken back by banks after disputes, without money given back before. */
        lost: CurrencyAmount[];
        /** Number of refunds. */
        refunds: number;
        /** One amount for each currency of the orders; if there are none, in the currency of the site. */
        refunded: CurrencyAmount[];
        /** Fees that the payment service keeps, as far as they are known. */
        service_fees: CurrencyAmount[];
    };
    /** By payment method, and by the payment service or the means by which it was paid or given back. */
    methods: {
        method: string;
        gateway: string;
        /** Number of payments. */
        payments: number;
        /** One amount for each currency of the orders; if there are none, in the currency of the site. */
        received: CurrencyAmount[];
        /** Taken back by banks after disputes, without money given back before. */
        lost: CurrencyAmount[];
        /** Number of refunds. */
        refunds: number;
        /** One amount for each currency of the orders; if there are none, in the currency of the site. */
        refunded: CurrencyAmount[];
        /** Fees that the payment service keeps, as far as they are known. */
        service_fees: CurrencyAmount[];
    }[];
    /** Own fees in the money received, less the fees in money given back or lost. */
    fees: {
        title: string;
        /** One amount for each currency of the orders; if there are none, in the currency of the site. */
        amounts: CurrencyAmount[];
    }[];
    /** By rate, highest first. A part of an order has the same part of its taxes. */
    taxes: {
        /** Thousandths of a percent; 0 for untaxed money. */
        rate: number;
        /** Received, less given back and lost, tax included. */
        gross: CurrencyAmount[];
        /** One amount for each currency of the orders; if there are none, in the currency of the site. */
        tax: CurrencyAmount[];
    }[];
}
export interface MyTicketsAnswer {
    /** @constant */
    accepted: true;
}
export interface MyTicketsInput {
    /**
     * Format: email
     * The address that was given for the orders.
     */
    email: string;
}
/** A new application password. */
export interface NewApplicationPassword {
    id: number;
    name: string;
    created_utc: UtcTime;
    /** UTC, to the hour; null for an unused credential. */
    last_used_utc: UtcTime | null;
    /** Shown only once. Spaces in it are ignored. */
    password: string;
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface NewApplicationPasswordRepeated {
    id: number;
    name: string;
    created_utc: UtcTime;
    /** UTC, to the hour; null for an unused credential. */
    last_used_utc: UtcTime | null;
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
/** A new check-in key. */
export interface NewCheckInKey {
    id: number;
    name: string;
    /** The only event for which the key is valid; null for all. */
    event_id: number | null;
    created_utc: UtcTime;
    /** UTC, to the hour; null if the key was never used. */
    last_used_utc: UtcTime | null;
    /** Shown only once; sent as `api_key` or `X-API-Key`. */
    key: string;
    /** Content of the QR code that connects a scanner: JSON with address and key. */
    connection: string;
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface NewCheckInKeyRepeated {
    id: number;
    name: string;
    /** The only event for which the key is valid; null for all. */
    event_id: number | null;
    created_utc: UtcTime;
    /** UTC, to the hour; null if the key was never used. */
    last_used_utc: UtcTime | null;
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
/** A second factor that takes effect once it is confirmed. */
export interface NewSecondFactor {
    /** Base32, for typing into an app. */
    secret: string;
    /** `otpauth:` URL, for display as a QR code. */
    uri: string;
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface NewSecondFactorRepeated {
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
/** A new token. */
export interface NewToken {
    id: number;
    user_id: number;
    name: string;
    scopes: ("read" | "events:write" | "tickets:write" | "checkin" | "money:write" | "admin")[];
    created_utc: UtcTime;
    /** UTC; null for a token that does not expire. */
    expires_utc: UtcTime | null;
    /** UTC, to the hour; null for an unused credential. */
    last_used_utc: UtcTime | null;
    /** Shown only once; sent as `Authorization: Bearer TOKEN`. */
    token: string;
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface NewTokenRepeated {
    id: number;
    user_id: number;
    name: string;
    scopes: ("read" | "events:write" | "tickets:write" | "checkin" | "money:write" | "admin")[];
    created_utc: UtcTime;
    /** UTC; null for a token that does not expire. */
    expires_utc: UtcTime | null;
    /** UTC, to the hour; null for an unused credential. */
    last_used_utc: UtcTime | null;
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
/** A new account. */
export interface NewUser {
    id: number;
    username: string;
    email: string;
    /** @enum {string} */
    role: "administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office";
    created_utc: UtcTime;
    /** Last use of a session, to the minute; null if there was none. */
    last_seen_utc: UtcTime | null;
    has_second_factor: boolean;
    /** Whether the account may give money back although its role may not; administrators always may. */
    may_refund: boolean;
    /** Language of mails to the account; empty for the first of the site. */
    language: string;
    /** Alerts that the account gets by mail. */
    alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Alerts that its rights allow. */
    available_alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    sign_in_link?: SignInLink;
    /** Whether the link was sent to the account by mail. */
    is_invited?: boolean;
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface NewUserRepeated {
    id: number;
    username: string;
    email: string;
    /** @enum {string} */
    role: "administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office";
    created_utc: UtcTime;
    /** Last use of a session, to the minute; null if there was none. */
    last_seen_utc: UtcTime | null;
    has_second_factor: boolean;
    /** Whether the account may give money back although its role may not; administrators always may. */
    may_refund: boolean;
    /** Language of mails to the account; empty for the first of the site. */
    language: string;
    /** Alerts that the account gets by mail. */
    alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Alerts that its rights allow. */
    available_alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Whether the link was sent to the account by mail. */
    is_invited?: boolean;
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
/** A one-time token. */
export interface Nonce {
    /** @enum {string} */
    action: "add_ticket_nonce" | "edit_ticket_nonce" | "remove_ticket_nonce";
    nonce: string;
    expires: UtcTime;
}
export interface NonceInput {
    /**
     * Parameter for which the token is valid.
     * @enum {string}
     */
    action: "add_ticket_nonce" | "edit_ticket_nonce" | "remove_ticket_nonce";
    /** Event whose tickets the token may change; by default, any event whose tickets the account may manage. */
    post_id?: number;
}
export interface Occurrence {
    id: number;
    /** Format: uri */
    url: string;
    /** Format: uri */
    rest_url: string;
    title: string;
    status: string;
    /** @enum {string} */
    event_status: "scheduled" | "cancelled" | "postponed" | "rescheduled" | "moved_online";
    start_date: LocalTime;
    end_date: LocalTime;
    utc_start_date: UtcTime;
    timezone: string;
    /**
     * Format: date
     * Day that the rule gave it, also after it was moved.
     */
    recurrence_id: string;
    /** Fields that were changed for it alone; only for users who may edit it. */
    own_fields?: string[];
}
export interface OccurrenceList {
    occurrences: Occurrence[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface OfflinePaymentInput {
    /** Amount in the smallest unit of the currency; by default all that is left to pay. */
    amount?: number;
    /** Payment method; by default the one of the order. */
    payment?: string;
    /** Reference, such as the line of the bank statement. */
    reference?: string;
    /** true: only preview the action; the response is complete, but nothing is changed. */
    dry_run?: boolean;
}
/** Unused sign-in link. */
export interface OpenSignInLink {
    id: number;
    expires_utc: UtcTime;
}
/** Tickets that were bought together. */
export interface Order {
    id: number;
    /** Short number for people, no secret. Absent under `/wp-json/tribe`. */
    number?: string;
    /** @enum {string} */
    status: "created" | "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided";
    /** Payment method: `manual`, `free`, a method of the site, or a payment provider. */
    gateway: string;
    purchaser: {
        name: string;
        email: string;
        /** 0 without an account. */
        user_id: number;
    };
    currency: string;
    total: Amount;
    date: LocalTime;
    date_utc: UtcTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
}
export interface OrderChange {
    /**
     * The new status.
     * @enum {string}
     */
    status?: "pending" | "action-req" | "approved" | "completed" | "denied" | "not-completed" | "refunded" | "reversed" | "voided";
    /** When the order expires if it is still unpaid, UTC; null for never. */
    expires_utc?: string | null;
    /** true: revoke the customer's link; the response has a new one. */
    revoke_link?: boolean;
    purchaser?: PurchaserInput;
    billing?: BillingInput;
    /** A note for staff, never shown to the customer. */
    note?: string | null;
    /** true: only preview the action; the response is complete, but nothing is changed. */
    dry_run?: boolean;
}
/** Effects of an action on an order, or of its dry run. */
export interface OrderChanges {
    /** Whether this was a dry run. */
    dry_run: boolean;
    /** By ticket. */
    places: {
        ticket_id: number;
        title: string;
        /** Places taken; negative for returned places. */
        quantity: number;
    }[];
    /** Ids of attendees who are no longer admitted. */
    archived: number[];
    /** Ids of attendees who are no longer archived. */
    restored: number[];
    /** Price of the returned places. */
    paid: Amount;
    /** The effects in words, and what remains to be done manually. */
    notices: string[];
}
/** An invoice or a credit note of an order. */
export interface OrderInvoice {
    number: string;
    /**
     * `credit`: a credit note.
     * @enum {string}
     */
    kind: "invoice" | "credit";
    /** Day of issue. */
    date: string;
    total: Amount;
    /**
     * Format: uri
     * Page to be printed; accessible to anyone with the link.
     */
    url: string;
}
export interface OrderList {
    orders: ListedOrder[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** Payment method of an order. */
export interface OrderPayment {
    id: string;
    name: string;
    /** Instructions for the customer. */
    text: string;
    /** Reference to give with a bank transfer: the number of the order. Null for other methods. */
    reference: string | null;
}
export interface OrderPaymentInput {
    /** Payment method of the site that takes payments at a service; by default the one of the order, or the only one. */
    payment?: string;
    /** Page to which the payment service sends the customer afterwards, paid or not: of this site, or of an origin in MARQUEE_CORS_ORIGINS. By default the page of the order. */
    return_url?: string;
}
/** An organizer. Empty members are omitted. */
export interface Organizer {
    id: number;
    /** Id of the author, as text. */
    author: string;
    /** @enum {string} */
    status: "publish" | "future" | "draft" | "pending" | "private" | "trash";
    /**
     * Status before the record was put into the trash; the right to change it depends on this status.
     * @enum {string}
     */
    trashed_from?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
    date: LocalTime;
    date_utc: UtcTime;
    modified: LocalTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    /** Format: uri */
    url: string;
    organizer: string;
    description?: string;
    slug?: string;
    image?: Image;
    phone?: string;
    website?: string;
    email?: string;
    /**
     * Absent: unknown, which counts as an organization.
     * @enum {string}
     */
    organizer_type?: "organization" | "person";
    translations?: Translations;
    json_ld?: {
        [key: string]: unknown;
    };
    global_id: string;
    global_id_lineage: string[];
}
/** Absent fields keep their values. The fields have the same meaning as in OrganizerInput. */
export interface OrganizerChange {
    author?: number | string | null;
    date?: string | null;
    date_utc?: string | null;
    /** @enum {string|null} */
    status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | null;
    image?: string | number | {
        id: number;
    } | false | null;
    organizer?: string | null;
    description?: string | null;
    phone?: string | null;
    /** Format: uri */
    website?: string | null;
    email?: string | null;
    /** @enum {string|null} */
    organizer_type?: "organization" | "person" | null;
}
export interface OrganizerInput {
    /** Account of the author; editors and administrators may name an account other than their own. */
    author?: number | string | null;
    /** Publication date. A future date schedules the publication. */
    date?: string | null;
    /** Publication date in UTC. */
    date_utc?: string | null;
    /**
     * Publication status.
     * @enum {string|null}
     */
    status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | null;
    /** Id of an uploaded image, URL of an image, or an image in the form of responses, identified by its `id`. */
    image?: string | number | {
        id: number;
    } | false | null;
    /** Name of the organizer. `null` removes its translation. */
    organizer: string | null;
    /** Description. HTML is cleaned. */
    description?: string | null;
    /** Telephone number. */
    phone?: string | null;
    /**
     * Format: uri
     * Web address.
     */
    website?: string | null;
    /** E-mail address. It is public. */
    email?: string | null;
    /**
     * Whether it is a person or an organization.
     * @enum {string|null}
     */
    organizer_type?: "organization" | "person" | null;
}
export interface OrganizerList {
    organizers: Organizer[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface OrganizerMerge {
    /** Records to merge into it, at most 50. */
    from: number[];
    /** Fields of the survivor to set, for example values of the others, as in a change of it. */
    fields?: Record<string, unknown>;
    /** Only report the effects. */
    dry_run?: boolean;
}
/** Current events, tasks and recent sales. */
export interface Overview {
    timezone: string;
    /** Published events that take place today, in the time zone of the site. */
    today: {
        count: number;
        /** At most 20, earliest first. */
        events: {
            event_id: number;
            /** Title of the event; empty if it is deleted. */
            title: string;
            /** Start of the event, in its time zone; null if it is deleted. */
            start_date: LocalTime | null;
            /** By ticket only. */
            ticket_id?: number;
            ticket_title?: string;
            end_date: LocalTime;
            all_day: boolean;
            timezone: string;
            event_status: string;
            /** Attendees whose places count. */
            sold: number;
            /** Attendees who are checked in. */
            came: number;
            /** Places of all its tickets; -1 without tickets, or if any has no limit. */
            capacity: number;
        }[];
    };
    /** Events of today and the next six days. */
    week: {
        count: number;
        /** At most 20, earliest first. */
        events: {
            event_id: number;
            /** Title of the event; empty if it is deleted. */
            title: string;
            /** Start of the event, in its time zone; null if it is deleted. */
            start_date: LocalTime | null;
            /** By ticket only. */
            ticket_id?: number;
            ticket_title?: string;
            end_date: LocalTime;
            all_day: boolean;
            timezone: string;
            event_status: string;
            /** Attendees whose places count. */
            sold: number;
            /** Attendees who are checked in. */
            came: number;
            /** Places of all its tickets; -1 without tickets, or if any has no limit. */
            capacity: number;
        }[];
    };
    /** null if it is not a task of the user. */
    tasks: {
        pending_orders: {
            count: number;
        } | null;
        /** Drafts of events that start within 14 days. */
        drafts_due: {
            count: number;
            events: {
                event_id: number;
                /** Title of the event; empty if it is deleted. */
                title: string;
                /** Start of the event, in its time zone; null if it is deleted. */
                start_date: LocalTime | null;
                /** By ticket only. */
                ticket_id?: number;
                ticket_title?: string;
            }[];
        } | null;
        /** Events pending review. */
        reviews: {
            count: number;
            events: {
                event_id: number;
                /** Title of the event; empty if it is deleted. */
                title: string;
                /** Start of the event, in its time zone; null if it is deleted. */
                start_date: LocalTime | null;
                /** By ticket only. */
                ticket_id?: number;
                ticket_title?: string;
            }[];
        } | null;
        images_without_alt: {
            count: number;
        } | null;
        /** Tickets of events that start within 14 days with at most a tenth of the places left, but not sold out; among the first 500. */
        low_stock: {
            count: number;
            tickets: {
                event_id: number;
                /** Title of the event; empty if it is deleted. */
                title: string;
                /** Start of the event, in its time zone; null if it is deleted. */
                start_date: LocalTime | null;
                /** By ticket only. */
                ticket_id?: number;
                ticket_title?: string;
                available: number;
                capacity: number;
            }[];
        } | null;
        /** Carts, checkouts and RSVPs refused today because of too many free places. */
        refused_free_places: {
            count: number;
        } | null;
        /** Orders with a refund that the payment service refused, to be tried again or given back another way; at most 20 are listed. */
        failed_refunds: {
            count: number;
            orders: {
                id: number;
                number: string;
            }[];
        } | null;
        /** Orders with a disputed payment: the bank of the customer asks for the money back. */
        disputes: {
            count: number;
            orders: {
                id: number;
                number: string;
            }[];
        } | null;
        /** Orders for which the amount paid differs from the amount requested: end the payment to accept it. */
        other_amounts: {
            count: number;
            orders: {
                id: number;
                number: string;
            }[];
        } | null;
        /** Orders for which more was received than they cost: the excess is to be given back. */
        money_owed: {
            count: number;
        } | null;
        /** Open findings of the reconciliation. */
        findings: {
            count: number;
        } | null;
        /** Mails of the last 30 days that were held or failed; for users who manage all orders. */
        mails: {
            held: number;
            /** Refused by a mail server. */
            failed: number;
            /** Came back. */
            bounced: number;
            /** Whether the server has `MARQUEE_SMTP_URL`. */
            has_server: boolean;
        } | null;
    };
    /** Of the last 7 days; null for users who may not see sales. */
    sales: {
        periods: {
            /** Start of the hour or day, in the time zone of the site. */
            start: LocalTime;
            start_utc: UtcTime;
            /** Places of completed orders. */
            sold: SalesFigure;
            /** Unpaid places. */
            pending: SalesFigure;
            /** Places of refunded and reversed orders, and single places whose money was given back. */
            refunded: SalesFigure;
            /** Expired, denied or cancelled places, and others removed from their order. */
            cancelled: SalesFigure;
            /** Sold since the first day, by the end of this period. */
            running: {
                places: number;
                /** One amount for each currency of the orders; if there are none, in the currency of the site. */
                amounts: CurrencyAmount[];
            };
        }[];
    } | null;
}
/** An attempt to pay an order, or money received offline. */
export interface Payment {
    id: number;
    order_id: number;
    /**
     * `disputed`: the bank of the customer asks for it back; `lost`: the bank took it back.
     * @enum {string}
     */
    status: "created" | "open" | "processing" | "action" | "paid" | "failed" | "cancelled" | "disputed" | "lost";
    /** Payment service; `manual` and `transfer` for money received offline. */
    gateway: string;
    /** Id of the payment method. */
    method: string;
    amount: Amount;
    /** Sum of its refunds that have not failed. */
    refunded: Amount;
    /** Fee of the payment service; null if unknown. */
    fee: Amount | null;
    currency: string;
    /** Means of payment, such as `Visa •••• 4242`; empty if unknown. */
    instrument: string;
    /** Reference of money received offline. */
    reference: string;
    /** Id at the payment service. */
    external_id: string | null;
    created_utc: UtcTime;
    paid_utc: UtcTime | null;
}
/** Payment of an attendee. */
export interface PaymentDetails {
    provider: string;
    /** Price paid for the place; empty if free. */
    price: string;
    /** Symbol. */
    currency: string;
    date: LocalTime;
    date_details: DateDetails;
}
export interface PaymentGateway {
    /** @enum {string} */
    id: "manual" | "transfer" | "stripe";
    /** Variables that the server lacks for it. */
    missing: string[];
}
export interface PaymentList {
    payments: Payment[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** Money received for an order, for its customer. */
export interface PaymentReceipt {
    /** Payment method; empty for one that the site no longer has. */
    name: string;
    /** Means of payment, such as `Visa •••• 4242`; empty if unknown. */
    instrument: string;
    amount: Amount;
    paid_utc: UtcTime;
}
/** Payment method; `text` holds instructions for the customer. */
export interface PaymentWay {
    id: string;
    name: string;
    text: string;
    /** Whether it is paid at the door: tickets have codes, which admit once the order is paid. */
    at_door: boolean;
    /** Hours that an unpaid order keeps its places; 0 for no limit, null for the setting of the server. With `at_door`: hours before the start of the event until which it keeps them; null until the event ends. */
    hold_hours: number | null;
    /**
     * How the money arrives: booked by staff, or the payment service that takes it.
     * @enum {string}
     */
    gateway: "manual" | "transfer" | "stripe";
    /** Whether checkouts offer it: false if the server lacks the settings of its gateway. */
    available: boolean;
}
export interface PaymentWayInput {
    /** Permanent id, used by orders. `door`, `transfer` and `card` need no name. */
    id: string;
    /** Name. Plain text. */
    name?: string | null;
    /** Instructions for the customer, in lines of plain text. */
    text?: string | null;
    /** Hours that an unpaid order keeps its places; 0 for no limit, null for MARQUEE_ORDER_HOLD. With `at_door`: hours before the start of the event until which it keeps them; null until the event ends. */
    hold_hours?: number | null;
    /** Whether the customer pays at the door: tickets have codes, which admit once the order is paid. By default for `door` only. */
    at_door?: boolean | null;
    /**
     * How the money arrives: `manual`, by default, and `transfer` are booked by staff; the others are payment services, for which the server needs settings.
     * @enum {string|null}
     */
    gateway?: "manual" | "transfer" | "stripe" | null;
}
export interface PlacesCancellation {
    /** Ids of attendees of the order. */
    attendees: number[];
    /** Reason, for the log. */
    reason?: string;
    /** true: only preview the action; the response is complete, but nothing is changed. */
    dry_run?: boolean;
}
/** A promotion code, which reduces the prices of an order or opens hidden tickets. */
export interface Promotion {
    id: number;
    code: string;
    /** @enum {string} */
    kind: "percent" | "amount" | "price" | "access";
    value: number;
    /** Ids of its tickets, and `pass.id` of its series passes. Empty for all. */
    ticket_ids: number[];
    /** Event of its tickets; null for all tickets, including series passes. */
    event_id: number | null;
    /** When it begins; null for at once. */
    from_utc: UtcTime | null;
    /** When it ends; null for never. */
    until_utc: UtcTime | null;
    /** Maximum number of orders; null for any. */
    max_uses: number | null;
    /** Number of orders that have used it. */
    used: number;
    /** Maximum number of orders of one e-mail address; null for any. */
    max_per_buyer: number | null;
    minimum: number;
    revision: number;
}
/** Absent fields keep their values. The fields have the same meaning as in PromotionInput. */
export interface PromotionChange {
    code?: string;
    /** @enum {string} */
    kind?: "percent" | "amount" | "price" | "access";
    value?: number;
    ticket_ids?: number[] | null;
    event_id?: number | null;
    from_utc?: string | null;
    until_utc?: string | null;
    max_uses?: number | null;
    max_per_buyer?: number | null;
    minimum?: number;
}
export interface PromotionInput {
    /** Code that customers enter, in any letter case and with any spaces. Plain text. */
    code: string;
    /**
     * `percent` off each place, an `amount` off the order, divided among its places, a `price` for each place that costs more, or `access` to hidden tickets at their prices.
     * @enum {string}
     */
    kind: "percent" | "amount" | "price" | "access";
    /** Thousandths of a percent for `percent`, 0 for `access`, otherwise in the smallest unit of the currency. */
    value: number;
    /** Only for these tickets and their series passes; by default, and if empty, for all. Opens the hidden ones among them. */
    ticket_ids?: number[] | null;
    /** Only for tickets of this event, not for series passes unless `ticket_ids` has them. */
    event_id?: number | null;
    /** When it begins, UTC; by default at once. */
    from_utc?: string | null;
    /** When it ends, UTC; by default never. */
    until_utc?: string | null;
    /** Maximum number of orders; by default any. */
    max_uses?: number | null;
    /** Maximum number of orders of one e-mail address; by default any. */
    max_per_buyer?: number | null;
    /** List price of its tickets that an order must reach, in the smallest unit; 0 by default. */
    minimum?: number;
}
export interface PromotionList {
    promotions: Promotion[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** The customer. */
export interface Purchaser {
    name: string;
    /** Format: email */
    email: string;
}
/** The customer. */
export interface PurchaserInput {
    /** Name of the customer. Plain text. */
    name?: string;
    /**
     * Format: email
     * E-mail address of the customer.
     */
    email?: string;
}
/** QR code of a ticket. */
export interface QR {
    id: number;
    /** @enum {string} */
    checked_in: "1" | "";
    /** Content of the code; for privileged users and the holder. */
    content?: string;
}
/** The attendee after the check-in; with GET under `/wp-json/tribe`, before it. */
export interface QRCheckin {
    msg: string;
    attendee: Attendee;
}
/** Number of RSVPs with the answers yes and no. */
export interface RSVPReport {
    rsvp_going: number;
    rsvp_not_going: number;
}
export interface ReceivedWebhook {
    /** @constant */
    received: true;
}
/** Codes that replace a lost phone. */
export interface RecoveryCodes {
    /** Shown only once. Each signs in once instead of a code. */
    recovery_codes: string[];
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface RecoveryCodesRepeated {
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
export interface Recurrence {
    /** Rule of RFC 5545; empty for single days alone. */
    rrule: string;
    /** The recurrence in words, in the language of the response. */
    text: string;
    rdates: string[];
    /** Empty for users who may not edit it. */
    exdates: string[];
}
export interface RecurrenceText {
    /** Rule of RFC 5545; empty for single days alone. */
    rrule: string;
    /** The recurrence in words, in the language of the response. */
    text: string;
}
/** Money of a payment that is given back. */
export interface Refund {
    id: number;
    payment_id: number;
    order_id: number;
    /**
     * `requested`: not sent yet. `pending`: the payment service is paying it. `failed`: staff must act.
     * @enum {string}
     */
    status: "requested" | "pending" | "done" | "failed";
    amount: Amount;
    reason: string;
    /** `staff`, `event-ID` for a cancelled event, or why the server gives the money back by itself. */
    source: string;
    /** Attendees whose places it is for. */
    attendees: number[];
    /** Why it failed, in the words of the payment service; otherwise empty. */
    error: string;
    /** 0 for the server itself. */
    user_id: number;
    created_utc: UtcTime;
    modified_utc: UtcTime;
}
export interface RefundInput {
    /** Amount in the smallest unit of the currency; by default the price of the places, or all that was paid. 0 keeps the money. */
    amount?: number;
    /** Ids of attendees whose places are cancelled. */
    attendees?: number[];
    /** true: cancel all places, also with an `amount`. */
    all?: boolean;
    /** Reason, for the log. */
    reason?: string;
    /** true: only preview the action; the response is complete, but nothing is changed. */
    dry_run?: boolean;
}
/** Places released from a cart. */
export interface ReleasedHold {
    id: number;
    tickets: {
        ticket_id: number;
        event_id: number;
        places: number;
    }[];
}
/** An RSVP to an event, with an attendee for each place. */
export interface Reply {
    /** Id of its first attendee, whose token controls the whole RSVP. */
    id: number;
    ticket_id: number;
    event_id: number;
    /** @enum {string} */
    attendee_status: "yes" | "no";
    full_name: string;
    attendees: {
        id: number;
        /** Admits the holder. */
        security_code: string;
        /**
         * Format: uri
         * Page of the ticket, accessible to anyone with the link; its last segment is the token for `X-Ticket-Token`.
         */
        url: string;
    }[];
}
/** Absent fields keep their values. The fields have the same meaning as in ReplyInput. */
export interface ReplyChange {
    /** Security code of that attendee, which alone is refused: 403 `ticket-link-required`. */
    security_code?: string;
    /** @enum {string} */
    attendee_status: "yes" | "no";
    /**
     * Whether the first attendee answers for all places of the `reply`, or for its own `place` only.
     * @enum {string}
     */
    scope?: "reply" | "place";
}
export interface ReplyInput {
    /** RSVP ticket. */
    ticket_id: number;
    /** Name of the holder. Plain text. */
    full_name: string;
    /**
     * Format: email
     * E-mail address of the holder.
     */
    email: string;
    /**
     * RSVP answer. A "no" takes no place.
     * @enum {string}
     */
    attendee_status?: "yes" | "no";
    /** Number of places, at most `max_per_order` of the ticket. */
    quantity?: number;
    /** Whether the name is hidden from public lists. */
    optout?: boolean | null;
    /** Password of the event, if it has one. */
    password?: string | null;
}
/** Result of restoring an entry of the audit log. */
export interface Restored {
    restored: {
        field: string;
        language?: string;
    }[];
    not_restored: {
        field: string;
        language?: string;
        /**
         * The log has no values of personal data, secrets and long texts; a deleted record is not created again, a created one is not deleted; files, money and places are changed by other endpoints.
         * @enum {string}
         */
        reason: "personal" | "secret" | "long" | "deleted" | "created" | "read-only";
    }[];
    /** The record, as in the response of the endpoint that changes it. */
    record: unknown;
}
/** A background job that is tried again. */
export interface RetriedJob {
    id: number;
    /** @constant */
    retried: true;
}
/** Background jobs that are tried again. */
export interface RetriedJobs {
    /** Number of revived or removed jobs. */
    retried: number;
}
/** A mail that came back. For a mail to an account, users who do not manage accounts get only the status. */
export interface ReturnedMail {
    id?: number;
    /**
     * `order`: what to pay and how. `tickets`: the tickets of a complete order. `refund`: money given back. `my_tickets`: links to the current orders of an address, which its owner asked for. `payment_failed`, `place_cancelled`: about an order. `ticket_received`, `ticket_transferred`: to the new holder of a ticket, and to the former one. `rsvp`, `rsvp_changed`: an answer to an event. `reminder`: the day before. `announcement` and `event_…`: announcements to the holders of tickets. Others: to accounts.
     * @enum {string}
     */
    kind?: "order" | "tickets" | "refund" | "payment_failed" | "place_cancelled" | "ticket_received" | "ticket_transferred" | "rsvp" | "rsvp_changed" | "reminder" | "announcement" | "event_moved" | "event_postponed" | "event_cancelled" | "my_tickets" | "invitation" | "sign-in" | "password" | "new-device" | "factor-removed" | "password-changed" | "address-changed" | "alert-payments" | "alert-jobs" | "alert-few-left" | "alert-sold-out" | "alert-orders";
    /** E-mail address. */
    to?: string;
    /** Id of the order that it is about, or of the order of its reader’s ticket; null for several, and for a mail to an account. */
    order?: number | null;
    /** Account to which it goes; 0 for a mail to a customer. */
    account?: number;
    /** Id of the event, if it is about a single one. */
    event?: number | null;
    /** Id of the attendee to whom it goes, if it is to a holder. */
    attendee?: number | null;
    /**
     * `queued`: to be sent, to be tried again, or waiting for the limit of its mailbox. `sent`: accepted by the mail server. `failed`: refused by it. `held`: not sent, for want of a mail server or a week beyond the limit of a mailbox. `bounced`: came back.
     * @enum {string}
     */
    status: "queued" | "sent" | "failed" | "held" | "bounced";
    /** Last reply of the mail server, or the reason why there is none; empty before the first attempt. */
    reply?: string;
    /** Attempts so far. */
    attempts?: number;
    /** Time of the next attempt; null unless it is queued. */
    due_utc?: UtcTime | null;
    sent_utc?: UtcTime | null;
    created_utc?: UtcTime;
    /** Account that asked for it; 0 for a mail that the server writes by itself. */
    user?: number;
}
export interface SaleLineInput {
    /** Ticket to sell. */
    ticket_id: number;
    /** Number of places; by default the number of attendees. */
    quantity?: number;
    /** Price of a place if it differs from today's price; requires `reason`. */
    price?: number | string;
    /** Attendees of the first places. */
    attendees?: {
        /** Name of the attendee; defaults to the name of the customer. Plain text. */
        full_name?: string;
        /**
         * Format: email
         * E-mail address of the attendee; defaults to the address of the customer.
         */
        email?: string;
    }[];
}
/** A reduced price and its period. */
export interface SalePrice {
    /** @enum {string} */
    enabled: "1" | "";
    sale_price: string;
    /** First day, or empty. */
    start_date: string;
    /** Last day, or empty. */
    end_date: string;
}
/** A reduced price. */
export interface SalePriceInput {
    /** Whether there is a reduced price. */
    checked?: boolean | string | number;
    /**
     * Below the regular price.
     * @example 12.50
     */
    price?: string | number | null;
    /**
     * First day, in the time zone of the site.
     * @example 2027-03-01
     */
    start_date?: string | null;
    /**
     * Last day.
     * @example 2027-03-01
     */
    end_date?: string | null;
}
export interface SalesFigure {
    places: number;
    /** One amount for each currency of the orders; if there are none, in the currency of the site. */
    amounts: CurrencyAmount[];
}
/** Tickets ordered in a range of days, by the current status of their orders. */
export interface SalesReport {
    /** @enum {string} */
    by: "hour" | "day" | "ticket" | "event";
    /** Format: date */
    from: string;
    /** Format: date */
    to: string;
    timezone: string;
    totals: {
        /** Places of completed orders. */
        sold: SalesFigure;
        /** Unpaid places. */
        pending: SalesFigure;
        /** Places of refunded and reversed orders, and single places whose money was given back. */
        refunded: SalesFigure;
        /** Expired, denied or cancelled places, and others removed from their order. */
        cancelled: SalesFigure;
    };
    /** By hour or day: all periods, in order. */
    periods?: {
        /** Start of the hour or day, in the time zone of the site. */
        start: LocalTime;
        start_utc: UtcTime;
        /** Places of completed orders. */
        sold: SalesFigure;
        /** Unpaid places. */
        pending: SalesFigure;
        /** Places of refunded and reversed orders, and single places whose money was given back. */
        refunded: SalesFigure;
        /** Expired, denied or cancelled places, and others removed from their order. */
        cancelled: SalesFigure;
        /** Sold since the first day, by the end of this period. */
        running: {
            places: number;
            /** One amount for each currency of the orders; if there are none, in the currency of the site. */
            amounts: CurrencyAmount[];
        };
    }[];
    /** By ticket or event: at most 1000, best sellers first. */
    rows?: {
        event_id: number;
        /** Title of the event; empty if it is deleted. */
        title: string;
        /** Start of the event, in its time zone; null if it is deleted. */
        start_date: LocalTime | null;
        /** By ticket only. */
        ticket_id?: number;
        ticket_title?: string;
        /** Places of completed orders. */
        sold: SalesFigure;
        /** Unpaid places. */
        pending: SalesFigure;
        /** Places of refunded and reversed orders, and single places whose money was given back. */
        refunded: SalesFigure;
        /** Expired, denied or cancelled places, and others removed from their order. */
        cancelled: SalesFigure;
    }[];
    /** Number of further tickets or events not listed. */
    omitted?: number;
}
export interface ScanInput {
    /** Check-in key, unless the header `X-API-Key` has it. */
    api_key?: string;
    /** Id of the attendee, despite the name. */
    ticket_id: number;
    /** Security code of the attendee. */
    security_code: string;
    /** Event for which the code is scanned. */
    event_id?: number | null;
    /** Name of the scanner, for the log. */
    device_id?: string;
}
export interface SecondFactorCode {
    /** Code of the second factor, or a recovery code. */
    code: string;
}
export interface SecondFactorInput {
    /** Current password of the account. */
    password?: string;
}
/** Seller on invoices; empty texts for defaults. */
export interface Seller {
    name: string;
    address: string;
    vat_number: string;
    note: string;
    /** Beginning of the numbers of invoices. */
    prefix: string;
}
/** Seller on invoices. Omitted members stay unchanged; null clears one. */
export type SellerInput = {
    /** Name of the seller; by default the name of the site. Plain text. */
    name?: string | null;
    /** Postal address, in lines of plain text; by default the one of `contact`. */
    address?: string | null;
    /** VAT number, or tax number. Plain text. */
    vat_number?: string | null;
    /** Note at the end of invoices, such as the reason why they have no tax, in lines of plain text. */
    note?: string | null;
    /** Beginning of the numbers of invoices, such as `MQ-` for `MQ-2026-0001`. Each prefix counts for itself. */
    prefix?: string | null;
} | null;
/** A rule and the events that it makes. */
export interface Series {
    id: number;
    author: string;
    /** @enum {string} */
    status: "publish" | "trash";
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    modified_utc: string;
    title: string;
    slug: string;
    /** Format: uri */
    url: string;
    /** Format: uri */
    rest_url: string;
    recurrence: Recurrence;
    /** First start of the rule, in its time zone. */
    start_date: LocalTime;
    timezone: string;
    all_day: boolean;
    /** Occurrences that the user may see. */
    total: number;
    /** Occurrences that have not ended, without cancelled ones. */
    upcoming: number;
    next: {
        id: number;
        start_date: LocalTime;
        /** Format: uri */
        url: string;
    } | null;
    /** Occurrences that are still being made, changed or removed; only for users who may edit it. */
    pending?: number;
    /** Days left out because the clocks skip the time of the start; only in single reads. */
    skipped?: string[];
    /** Whether more than 500 events are to come within 24 months, so that some are made later; only in single reads. */
    is_cut?: boolean;
    follows_series: number | null;
}
export interface SeriesClash {
    /** Format: date */
    date: string;
    event: {
        id: number;
        title: string;
        start_date: LocalTime;
        end_date: LocalTime;
        /** Format: uri */
        url: string;
    };
}
export interface SeriesCreate {
    /** The first event, with the fields of `POST /events`; all others are made like it. */
    event?: EventInput;
    /** An existing event that becomes the first one. */
    event_id?: number;
    /** When it takes place: a rule of RFC 5545, single days, or both. A series has at most one event a day, all at the same time. */
    recurrence: {
        /**
         * From `FREQ=DAILY` to `FREQ=YEARLY`; `UNTIL` as a day includes that day.
         * @example FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270630
         */
        rrule?: string;
        /** Further days. */
        rdates?: string[];
        /** Days on which it does not take place. */
        exdates?: string[];
    };
    /** true: change nothing, and return the days and clashes instead. */
    dry_run?: boolean;
}
export interface SeriesList {
    series: Series[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface SeriesOfEvent {
    id: number;
    /** Format: uri */
    url: string;
    /** Format: uri */
    rest_url: string;
    /**
     * Format: date
     * Day that the rule gave it, also after it was moved.
     */
    recurrence_id: string;
    /** Its number among the events of the series that the user may see, from 1. */
    position: number;
    /** Fields that were changed for it alone, `title@fr` in French; only for users who may edit it. */
    own_fields?: string[];
}
export interface SeriesPreview {
    /** @constant */
    dry_run: true;
    /** Days of the series: at most 500 that are to come, and the latest 500 past ones. */
    dates: string[];
    /** Days left out because the clocks skip the time of the start. */
    skipped: string[];
    /** Whether more than 500 events are to come within 24 months, so that some are made later. */
    is_cut: boolean;
    /** Other events at the same venue at the same time, at most 100. */
    clashes: SeriesClash[];
    /** Only for an existing series. */
    added?: string[];
    /** Only for an existing series. */
    removed?: string[];
    /** People who have a ticket for a removed date. */
    holders?: number;
    /** Places of removed dates in carts. */
    held?: number;
    /** The recurrence in words; only for an existing series. */
    text?: string;
}
export interface SeriesUpdate {
    /** When it takes place: a rule of RFC 5545, single days, or both. A series has at most one event a day, all at the same time. */
    recurrence?: {
        /**
         * From `FREQ=DAILY` to `FREQ=YEARLY`; `UNTIL` as a day includes that day.
         * @example FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270630
         */
        rrule?: string;
        /** Further days. */
        rdates?: string[];
        /** Days on which it does not take place. */
        exdates?: string[];
    };
    /**
     * `publish` restores the series from the trash.
     * @enum {string}
     */
    status?: "publish";
    /** true: change nothing, and return the days and clashes instead. */
    dry_run?: boolean;
    /** true: also remove dates for which there are tickets, or places in carts. */
    confirm_holders?: boolean;
}
/** A browser session. */
export interface Session {
    id: number;
    user_id: number;
    created_utc: UtcTime;
    /** UTC, to the minute. */
    last_seen_utc: UtcTime;
    /** Network of the client. */
    address: string;
    /** `User-Agent` of the browser. */
    user_agent: string;
    /** Whether it is the session of this request. */
    is_current: boolean;
}
/** Result of ending a session. */
export interface SessionEnd {
    /** Whether there was a session. */
    ended: boolean;
}
export interface SessionList {
    sessions: Session[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** A ticket; its id is 0 if it is redacted. */
export type ShownTicket = Ticket | WithheldTicket;
export interface SignInByLinkInput {
    /** Token behind `#sign-in=` or `#setup=` in the link. */
    token: string;
    /** Code of the second factor, or a recovery code. */
    code?: string;
}
export interface SignInInput {
    /** Name or e-mail address of the account. */
    name: string;
    /** Password of the account. */
    password: string;
    /** Code of the second factor, or a recovery code. */
    code?: string;
}
/** One-time link that signs in without password and code. */
export interface SignInLink {
    /** Format: uri */
    url: string;
    expires_utc: UtcTime;
}
/** The open sign-in links of an account. */
export interface SignInLinkList {
    sign_in_links: OpenSignInLink[];
}
/** Response to a repeated request, without the secret that the first response showed. */
export interface SignInLinkRepeated {
    expires_utc: UtcTime;
    /**
     * True if the first response showed a secret that this one omits.
     * @constant
     */
    secret_shown: true;
    /** Explanation in the language of the user. */
    message: string;
}
/** A key that signs the codes of tickets. */
export interface SigningKey {
    /** Number in front of the signature. */
    id: number;
    /** Ed25519, 32 bytes in base64url. */
    public_key: string;
    created_utc: UtcTime;
    /** null for the key that signs. */
    retired_utc: UtcTime | null;
}
/** Settings of the site, with its texts in the language of the request. */
export interface Site {
    /** Incremented by every change. */
    revision: number;
    /** Format: uri */
    url: string;
    name: string;
    tagline: string;
    /** HTML; empty if the site has no such text. */
    about: string;
    /** HTML; empty if the site has no such text. */
    terms: string;
    /** HTML; empty if the site has no such text. */
    privacy: string;
    /** HTML; empty if the site has no such text. */
    refunds: string;
    logo: Image | null;
    colors: SiteColors;
    contact: SiteContact;
    legal_links: LegalLink[];
    cancellation: CancellationRule;
    payment_ways: PaymentWay[];
    address_words: AddressWord[];
    /** Whether public lists have each series once, by its next event. */
    collapse_series: boolean;
    /** Whether holders of tickets are reminded of events by mail, the day before. */
    sends_reminders: boolean;
    /** Whether customers may donate beside their tickets. */
    accepts_donations: boolean;
    /** Suggested donations, in the smallest unit of the currency. */
    donation_amounts: number[];
    /** The first one is the language of the records themselves. */
    languages: string[];
    timezone: string;
    currency: string;
    currency_symbol: string;
    /** Settings fixed by the environment of the server. */
    fixed: ("name" | "languages" | "timezone" | "currency" | "currency_symbol")[];
    /** Whether orders get invoices, which may name a company (`MARQUEE_INVOICES`). */
    invoices: boolean;
    /** Only shown to users with `manage_site`. */
    seller?: Seller;
    /** Whether the server sends mails (`MARQUEE_SMTP_URL`). */
    sends_mail: boolean;
    /** Roles that require a second factor; only shown to users with `manage_site`. */
    second_factor_roles?: ("administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office")[];
    /** Gateways for payment methods; only shown to users with `manage_site`. */
    gateways?: PaymentGateway[];
    translations?: Translations;
}
export interface SiteChange {
    /** Name of the site. Plain text. */
    name?: string | null;
    /** Description of the site in a few words. Plain text. */
    tagline?: string | null;
    /** About the site. HTML, which is cleaned. */
    about?: string | null;
    /** Terms of sale, which customers accept. HTML, which is cleaned. */
    terms?: string | null;
    /** Privacy policy. HTML, which is cleaned. */
    privacy?: string | null;
    /** Instructions to holders of paid tickets for the case that an event is cancelled; shown on its page. HTML, which is cleaned. */
    refunds?: string | null;
    /** Id of the uploaded image shown as logo. */
    logo?: number | null;
    colors?: SiteColorsInput;
    contact?: SiteContactInput;
    /** Links to external legal notices, shown in the footer of all pages. */
    legal_links?: LegalLinkInput[] | null;
    cancellation?: CancellationRuleInput;
    /** All payment methods, in order. Methods that are not sent are removed; texts in other languages stay. */
    payment_ways?: PaymentWayInput[];
    /** Beginnings of paths on a former site in another language, which redirect to pages of this one. */
    address_words?: AddressWordInput[] | null;
    /** Roles that require a second factor. An account of these roles without one can only set it up, with a session; its password is refused otherwise. */
    second_factor_roles?: ("administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office")[];
    /** Whether public lists have each series once, by its next event; by default they have all of its events. */
    collapse_series?: boolean | null;
    /** Whether holders of tickets are reminded of events by mail, the day before; by default they are not. */
    sends_reminders?: boolean | null;
    seller?: SellerInput;
    /** Whether customers may donate beside their tickets; by default they may not. */
    accepts_donations?: boolean | null;
    /** Suggested donations, in the smallest unit of the currency. */
    donation_amounts?: number[] | null;
    /** Content languages, as BCP 47 tags. The first one is the language of the records themselves: it can only change while there are no records. Texts in a removed language are stored and reappear with it. Refused if MARQUEE_LANGUAGES is set; null for the default. */
    languages?: string[] | null;
    /** Time zone of the site: an IANA name, or an offset such as `UTC+2`. Refused if MARQUEE_TIMEZONE is set; null for the default. */
    timezone?: string | null;
    /** Currency of ticket prices, as an ISO 4217 code. Prices keep their figures; once there are any, only a currency with the same number of decimals is accepted. Refused if MARQUEE_CURRENCY is set; null for the default. */
    currency?: string | null;
    /** Currency symbol of prices; by default the symbol of the currency. Plain text. Refused if MARQUEE_CURRENCY_SYMBOL is set; null for the default. */
    currency_symbol?: string | null;
}
/** Colours of the pages in the light and the dark scheme, from which all others are derived: `paper` and `panel` behind the text (`ink`), links and buttons (`accent`); `sign` behind the name (`lamp`). */
export interface SiteColors {
    paper: string;
    panel: string;
    ink: string;
    accent: string;
    sign: string;
    paper_dark: string;
    panel_dark: string;
    ink_dark: string;
    accent_dark: string;
    sign_dark: string;
    lamp: string;
}
/** Colours of the pages, as `#rrggbb`; omitted ones stay unchanged, null restores the default. Text needs a contrast of 4.5 and borders one of 3 in all pairs that pages use. */
export type SiteColorsInput = {
    paper?: string | null;
    panel?: string | null;
    ink?: string | null;
    accent?: string | null;
    sign?: string | null;
    paper_dark?: string | null;
    panel_dark?: string | null;
    ink_dark?: string | null;
    accent_dark?: string | null;
    sign_dark?: string | null;
    lamp?: string | null;
} | null;
/** Contact details of the site. The address has lines of plain text. */
export interface SiteContact {
    email: string;
    phone: string;
    address: string;
}
/** Contact details of the site. Omitted members stay unchanged; null clears one. */
export type SiteContactInput = {
    /**
     * Format: email
     * E-mail address.
     */
    email?: string | null;
    /** Telephone number. Plain text. */
    phone?: string | null;
    /** Postal address, in lines of plain text. */
    address?: string | null;
} | null;
/** Sold places and capacities of events. */
export interface SoldPlaces {
    events: {
        event_id: number;
        /** Places that count: paid, unpaid, or RSVP yes. */
        sold: number;
        /** Places of all its tickets; -1 if any has no limit. */
        capacity: number;
    }[];
}
export interface StaffAttendeeList {
    attendees: ListedAttendee[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** A calendar that the site reads regularly, and the last result. */
export interface Subscription {
    id: number;
    address: string;
    /**
     * Status of its new events.
     * @enum {string}
     */
    status: "publish" | "pending" | "draft" | "private";
    /** Categories of its events. */
    categories: string[];
    /** Hours between two reads. */
    hours: number;
    paused: boolean;
    created_utc: UtcTime;
    /** Time of the next read. */
    due_utc: UtcTime;
    /** Last read; null before the first one. */
    checked_utc: UtcTime | null;
    /** Last read that succeeded. */
    succeeded_utc: UtcTime | null;
    /** Failed reads since then. */
    failures: number;
    /** Sentence about the problem, in English; empty without one. */
    problem: string;
    /** Numbers of records of the last import, by outcome and kind. */
    counts: {
        [key: string]: {
            [key: string]: number;
        };
    };
}
/** Absent fields keep their values. The fields have the same meaning as in SubscriptionInput. */
export interface SubscriptionChange {
    /** @enum {string} */
    status?: "publish" | "pending" | "draft" | "private";
    categories?: string[] | null;
    hours?: number;
    /** true: stops reading the calendar; false: resumes it. */
    paused?: boolean;
}
export interface SubscriptionInput {
    /**
     * Format: uri
     * Web address of a calendar in the format iCalendar.
     */
    address: string;
    /**
     * Status of its new events.
     * @enum {string}
     */
    status?: "publish" | "pending" | "draft" | "private";
    /** Names of categories of its events. */
    categories?: string[] | null;
    /** Hours between two reads. */
    hours?: number;
}
export interface SubscriptionList {
    subscriptions: Subscription[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** State of the server and its settings. */
export interface System {
    version: string;
    /** Version of Node.js. */
    runtime: string;
    /** Seconds since the start of the responding process. */
    uptime: number;
    /** Processes that serve requests. */
    workers: number;
    /**
     * `attention`: a periodic job failed in its last run.
     * @enum {string}
     */
    health: "ok" | "attention";
    database: {
        /** @enum {string} */
        kind: "sqlite" | "postgres";
        /** Bytes. */
        size: number;
        /** Last migration. */
        schema: string;
    };
    /** Disk of the data folder; null if unknown. */
    disk: {
        /** Bytes. */
        free: number;
        /** Bytes. */
        size: number;
    } | null;
    /** Periodic jobs. */
    jobs: {
        name: string;
        /** Interval in seconds. */
        interval: number;
        /** Last recorded run: at most one in five minutes is recorded, and every failure. */
        run_utc: UtcTime | null;
        /** Last failed run. */
        failed_utc: UtcTime | null;
    }[];
    /** Settings of the environment. */
    settings: {
        name: string;
        /**
         * Source of the value.
         * @enum {string}
         */
        source: "environment" | "site" | "default";
        /** null for secrets and defaults. */
        value: string | null;
        /** Description of the default. */
        preset: string;
        is_secret: boolean;
    }[];
    /** Findings of `marquee doctor` in the database; null unless requested. */
    doctor: {
        /** All findings; 0 for a sound database. */
        count: number;
        /** Counters that differ from a recount, at most 50. */
        counters: {
            counter: string;
            id: number;
            stored: number;
            counted: number;
        }[];
        incomplete: {
            what: string;
            count: number;
            /** Id of an affected record. */
            example: number;
        }[];
        /** Parts of the data whose changes are not counted. */
        uncounted: string[];
    } | null;
}
export interface TagList {
    tags: Term[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface TagMerge {
    /** Records to merge into it, at most 50. */
    from: number[];
    /** Fields of the survivor to set, for example values of the others, as in a change of it. */
    fields?: Record<string, unknown>;
    /** Only report the effects. */
    dry_run?: boolean;
}
/** A tax at a rate in thousandths of a percent, included in prices or added. */
export interface TaxAmount {
    name: string;
    rate: number;
    included: boolean;
    amount: Amount;
}
/** A tax on tickets and fees. */
export interface TaxRate {
    id: number;
    name: string;
    /** Thousandths of a percent: 19000 is 19 %. */
    rate: number;
    /** Whether prices include the tax; otherwise it is added to them. */
    included: boolean;
    revision: number;
}
/** Absent fields keep their values. The fields have the same meaning as in TaxRateInput. */
export interface TaxRateChange {
    name?: string;
    rate?: number;
    included?: boolean;
}
export interface TaxRateInput {
    /** Name on carts and invoices. Plain text. */
    name: string;
    /** Thousandths of a percent: 19000 is 19 %, 8875 is 8.875 %. */
    rate: number;
    /** Whether prices include the tax; otherwise it is added to them. */
    included: boolean;
}
export interface TaxRateList {
    tax_rates: TaxRate[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/** A category or a tag. */
export interface Term {
    id: number;
    /** Published events without a password that use the term. */
    count: number;
    description: string;
    name: string;
    slug: string;
    taxonomy: string;
    /** Categories only; 0 at the top level. */
    parent?: number;
    /** Only for categories with a colour: `#rrggbb`. Not under `/wp-json`. */
    color?: string;
    meta: unknown[];
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    /** Format: uri */
    url: string;
    urls: {
        /** Format: uri */
        self: string;
        /** Format: uri */
        collection: string;
        /** Format: uri */
        up?: string;
    };
    translations?: Translations;
    _links?: {
        [key: string]: {
            /** Format: uri */
            href: string;
        }[];
    };
}
/** Absent fields keep their values. The fields have the same meaning as in TermInput. */
export interface TermChange {
    name?: string | null;
    description?: string | null;
    slug?: string | null;
    parent?: number | null;
}
export interface TermInput {
    /** Name. `null` removes its translation. */
    name: string | null;
    /** Description. */
    description?: string | null;
    /** Slug; derived from the name by default. */
    slug?: string | null;
    /** Parent category; 0 for the top level. */
    parent?: number | null;
}
/** A ticket, paid or RSVP. */
export interface Ticket {
    /** HTML. */
    description: string;
    /** Empty or -1 without a limit. */
    capacity: number | "";
    /** Whether the reduced price applies today; null for RSVPs. */
    on_sale: boolean | null;
    iac: string;
    price_suffix: string | null;
    /** The event. */
    post_id: number;
    /** @enum {string} */
    provider: "rsvp" | "tc";
    id: number;
    type: string;
    global_id: string;
    global_id_lineage: string[];
    /** Id of the author, as text. */
    author: string;
    status: string;
    date: LocalTime;
    date_utc: UtcTime;
    modified: LocalTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    title: string;
    image: false | Image;
    /** Start of the sale, in the time zone of the site. */
    available_from: string;
    available_from_details: DateDetails;
    available_until: string;
    available_until_details: DateDetails;
    capacity_details: CapacityDetails;
    is_available: boolean;
    /** The regular price. */
    cost: string;
    cost_details: CostDetails;
    /** The reduced price; `[]` for RSVPs. */
    sale_price_data: SalePrice | unknown[];
    supports_attendee_information: boolean;
    /** For privileged users. */
    attendees: Attendee[];
    /** RSVPs only, for privileged users. */
    rsvp?: RSVPReport;
    /** For privileged users. */
    checkin?: CheckinReport;
    /** Maximum number of places per order or RSVP, for users who do not manage attendees; 0 for no limit. Absent for the default of 20, and under `/wp-json/tribe`. */
    max_per_order?: number;
    /** Tax that the price includes, or that is added to it. Absent without one, and under `/wp-json/tribe`. */
    tax_rate_id?: number;
    /** Only with `tax_rate_id`. */
    tax?: {
        name: string;
        /** Thousandths of a percent. */
        rate: number;
        /** Whether the price includes it; otherwise it is added. */
        included: boolean;
    };
    /** Minimum number of places per order, for users who do not manage attendees. Absent without one, and under `/wp-json/tribe`. */
    min_per_order?: number;
    /**
     * For a ticket that a promotion code opens. Absent for others, and under `/wp-json/tribe`.
     * @constant
     */
    requires_code?: true;
    /** Minimum price that customers may choose. Absent for a fixed price, and under `/wp-json/tribe`. */
    min_price?: string;
    /**
     * For a pass, which is sold for all coming occurrences of a series. Absent under `/wp-json/tribe`.
     * @constant
     */
    scope?: "series";
    /** Only with `scope`. */
    pass?: {
        /** The same for the tickets of all occurrences. */
        id: number;
        /** Number of coming occurrences. */
        dates: number;
    };
    /** Format: uri */
    rest_url: string;
    translations?: Translations;
    /** This and the following members: single reads only, for users who may change the ticket. */
    capacity_type?: string;
    sku?: string | null;
    available_from_start_time?: string;
    available_from_end_time?: string;
    totals?: {
        stock: number;
        sold: number;
        pending: number;
    };
}
/** Absent fields keep their values. The fields have the same meaning as in TicketInput. */
export interface TicketChange {
    /** Event of the ticket. */
    post_id: number;
    /** One-time token. */
    edit_ticket_nonce: string;
    name?: string | null;
    description?: string | null;
    /** @example 12.50 */
    price?: string | number | null;
    show_description?: string | null;
    start_date?: string | null;
    start_time?: string | null;
    end_date?: string | null;
    end_time?: string | null;
    sku?: string | null;
    iac?: string | null;
    menu_order?: number | null;
    max_per_order?: number | null;
    tax_rate_id?: number | null;
    min_per_order?: number | null;
    requires_code?: boolean | null;
    /** @example 5.00 */
    min_price?: string | number | null;
    ticket?: TicketStock | null;
    /** @enum {string} */
    scope?: "this" | "following" | "all" | "series";
}
export interface TicketInput {
    /** The event. */
    post_id?: number | string;
    /** One-time token. */
    add_ticket_nonce?: string;
    /** `tc` for tickets with a price, `rsvp` for RSVPs. */
    provider?: string;
    /** Name of the ticket. `null` removes its translation. */
    name?: string | null;
    /** Description. HTML is cleaned. */
    description?: string | null;
    /**
     * Regular price, with a decimal point; blank for free. RSVPs have none.
     * @example 12.50
     */
    price?: string | number | null;
    /** `no` hides the description on the page. */
    show_description?: string | null;
    /** First day of sale, in the time zone of the site; by default, the publication date of the event. */
    start_date?: string | null;
    /** Time of day when the sale begins. */
    start_time?: string | null;
    /** Last day of sale, in the time zone of the site; by default, until the event starts. */
    end_date?: string | null;
    /** Time of day when the sale ends. */
    end_time?: string | null;
    /** Stock keeping unit; derived from ids and name by default. */
    sku?: string | null;
    /** Individual collection of attendees; not supported, always `none`. */
    iac?: string | null;
    /** Position among the tickets of the event. */
    menu_order?: number | null;
    /** Maximum number of places per order or RSVP, 20 by default, for users who do not manage attendees. 0: limited only by the cart. `null` for the default. */
    max_per_order?: number | null;
    /** Tax that the price includes, or that is added to it. Ignored under `/wp-json/tribe`. */
    tax_rate_id?: number | null;
    /** Minimum number of places per order, for users who do not manage attendees; 0 for none. Ignored under `/wp-json/tribe`. */
    min_per_order?: number | null;
    /** true: only staff see the ticket, and customers with a promotion code that opens it. Not for RSVPs. Ignored under `/wp-json/tribe`. */
    requires_code?: boolean | null;
    /**
     * Pay what you can: the minimum price that customers may choose, 0 for any. The price of the ticket is the suggested one. Blank or `null` for a fixed price. Not for RSVPs. Ignored under `/wp-json/tribe`.
     * @example 5.00
     */
    min_price?: string | number | null;
    /** Places and reduced price. */
    ticket?: TicketStock | null;
    /**
     * Of an event in a series: `this` (by default) for the ticket of this event alone, `following` to repeat the write for those of later ones, `all` for those of all that are to come; ignored under `/wp-json/tribe`. Of a new ticket: `series` for a pass, a single ticket for all coming occurrences; a pass is always changed and deleted as a whole.
     * @enum {string}
     */
    scope?: "this" | "following" | "all" | "series";
}
export interface TicketList {
    /** Format: uri */
    rest_url: string;
    total: number;
    total_pages: number;
    tickets: ShownTicket[];
}
/** Capacity of a ticket. */
export interface TicketStock {
    /**
     * Its own places, the shared places of the event, the shared places up to a limit, or unlimited.
     * @enum {string|null}
     */
    mode?: "own" | "global" | "capped" | "" | null;
    /** Places of this ticket. Negative or empty: no limit. */
    capacity?: number | string | null;
    /** Places shared by the tickets of the event. Negative or empty: no limit. */
    event_capacity?: number | string | null;
    sale_price?: SalePriceInput | string | null;
    /** Whether "not going" can be answered. */
    not_going?: boolean | string | number;
}
/** An API token for one program, with some of the rights of its owner. */
export interface Token {
    id: number;
    user_id: number;
    name: string;
    scopes: ("read" | "events:write" | "tickets:write" | "checkin" | "money:write" | "admin")[];
    created_utc: UtcTime;
    /** UTC; null for a token that does not expire. */
    expires_utc: UtcTime | null;
    /** UTC, to the hour; null for an unused credential. */
    last_used_utc: UtcTime | null;
}
export interface TokenInput {
    /** Purpose of the credential, such as the name of the program that uses it. Plain text. */
    name: string;
    /** Rights of its owner that the token has: `read`; `events:write` and `tickets:write` for changes; `checkin` for check-in; `admin` for everything. */
    scopes: ("read" | "events:write" | "tickets:write" | "checkin" | "money:write" | "admin")[];
    /** When the token expires, in the time zone of the site unless it names one; a day without a time is included whole. By default, the token is valid until it is revoked. */
    expires?: string;
    /** Owner of the token: the authenticated account, unless an administrator names another. */
    user_id?: number;
}
export interface TokenList {
    tokens: Token[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface TransferInput {
    /** Security code of the ticket, which alone is refused: 403 `ticket-link-required`. */
    security_code?: string;
    /** Name of the holder. Plain text. */
    full_name: string;
    /**
     * Format: email
     * E-mail address of the holder.
     */
    email: string;
    /** Whether the name is hidden from public lists. */
    optout?: boolean | null;
}
export interface TranslationProgress {
    /** By kind of record; `site`: texts of the site. */
    progress: {
        [key: string]: {
            total: number;
            /** Language -> number of records with any text in it. */
            translated: {
                [key: string]: number;
            };
        };
    };
}
/** Language -> the fields with a text in it. Only for users who may edit the record, once there is a text in a language other than the first. */
export interface Translations {
    [key: string]: string[];
}
export interface UndoneMerge {
    kind: string;
    survivor: number;
    /** Whether the survivor was restored; false if it has been edited since. */
    is_survivor_restored: boolean;
    /** Ids of the restored records. */
    restored: number[];
    /** Number of events linked to them. */
    events: number;
}
/** Amount to be paid at the door before a ticket admits. */
export interface Unpaid {
    /** Total of its order. */
    total: Amount;
    /** ISO 4217 code. */
    currency: string;
    /** Until when the places are kept, UTC; null for no limit. */
    expires_utc: UtcTime | null;
}
/** An address that gets no more reminders. */
export interface Unsubscribed {
    /** @constant */
    unsubscribed: true;
}
export interface Unsubscribing {
    /** Last segment of the address in the mail. */
    token: string;
}
/** An account. */
export interface User {
    id: number;
    username: string;
    email: string;
    /** @enum {string} */
    role: "administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office";
    created_utc: UtcTime;
    /** Last use of a session, to the minute; null if there was none. */
    last_seen_utc: UtcTime | null;
    has_second_factor: boolean;
    /** Whether the account may give money back although its role may not; administrators always may. */
    may_refund: boolean;
    /** Language of mails to the account; empty for the first of the site. */
    language: string;
    /** Alerts that the account gets by mail. */
    alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Alerts that its rights allow. */
    available_alerts: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
}
/** Absent fields keep their values. The fields have the same meaning as in UserInput. */
export interface UserChange {
    username?: string;
    /** Format: email */
    email?: string;
    password?: string;
    /** @enum {string} */
    role?: "administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office";
    may_refund?: boolean;
    language?: string;
    /** Alerts that the account gets by mail, of those that its rights allow: `payments`, findings of the reconciliation; `jobs`, background jobs that failed for good; `few-left` and `sold-out`, places of events; `orders`, new orders, once an hour at most. */
    alerts?: ("payments" | "jobs" | "few-left" | "sold-out" | "orders")[];
    /** Current password of the account. */
    current_password?: string;
}
export interface UserInput {
    /** Name for signing in, unique regardless of case; without colons or markup. */
    username: string;
    /**
     * Format: email
     * E-mail address, unique regardless of case; can be used instead of the name to sign in.
     */
    email: string;
    /** Password of the account, 8 to 200 characters. */
    password?: string;
    /**
     * Role, which determines the rights of the account.
     * @enum {string}
     */
    role: "administrator" | "editor" | "author" | "contributor" | "subscriber" | "door" | "box_office";
    /** Whether the account may give money of the orders that it reads back, although its role may not. Administrators always may. */
    may_refund?: boolean;
    /** Language of mails to the account, one of the site; empty for its first. */
    language?: string;
    /** Whether the sign-in link is sent by mail, where mail is set up, instead of shown. */
    invite?: boolean;
}
export interface UserList {
    users: User[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
/**
 * `YYYY-MM-DD HH:MM:SS` in UTC.
 * @example 2027-03-06 23:30:00
 */
export type UtcTime = string;
/** A venue. Empty members are omitted. */
export interface Venue {
    id: number;
    /** Id of the author, as text. */
    author: string;
    /** @enum {string} */
    status: "publish" | "future" | "draft" | "pending" | "private" | "trash";
    /**
     * Status before the record was put into the trash; the right to change it depends on this status.
     * @enum {string}
     */
    trashed_from?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
    date: LocalTime;
    date_utc: UtcTime;
    modified: LocalTime;
    modified_utc: UtcTime;
    /** Number of edits of the record. Absent under `/wp-json/tribe`. */
    revision?: number;
    /** Format: uri */
    url: string;
    venue: string;
    description?: string;
    slug?: string;
    image?: Image;
    address?: string;
    city?: string;
    country?: string;
    province?: string;
    state?: string;
    zip?: string;
    phone?: string;
    website?: string;
    stateprovince?: string;
    /** Latitude. */
    geo_lat?: number;
    /** Longitude. */
    geo_lng?: number;
    show_map: boolean;
    show_map_link: boolean;
    translations?: Translations;
    json_ld?: {
        [key: string]: unknown;
    };
    global_id: string;
    global_id_lineage: string[];
}
/** Absent fields keep their values. The fields have the same meaning as in VenueInput. */
export interface VenueChange {
    author?: number | string | null;
    date?: string | null;
    date_utc?: string | null;
    /** @enum {string|null} */
    status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | null;
    image?: string | number | {
        id: number;
    } | false | null;
    venue?: string | null;
    description?: string | null;
    address?: string | null;
    city?: string | null;
    country?: string | null;
    province?: string | null;
    state?: string | null;
    zip?: string | null;
    phone?: string | null;
    /** Format: uri */
    website?: string | null;
    stateprovince?: string | null;
    show_map?: boolean | null;
    show_map_link?: boolean | null;
    geo_lat?: number | null;
    geo_lng?: number | null;
}
export interface VenueInput {
    /** Account of the author; editors and administrators may name an account other than their own. */
    author?: number | string | null;
    /** Publication date. A future date schedules the publication. */
    date?: string | null;
    /** Publication date in UTC. */
    date_utc?: string | null;
    /**
     * Publication status.
     * @enum {string|null}
     */
    status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | null;
    /** Id of an uploaded image, URL of an image, or an image in the form of responses, identified by its `id`. */
    image?: string | number | {
        id: number;
    } | false | null;
    /** Name of the venue. `null` removes its translation. */
    venue: string | null;
    /** Description. HTML is cleaned. */
    description?: string | null;
    /** Street and number. */
    address?: string | null;
    /** City. */
    city?: string | null;
    /** Country. */
    country?: string | null;
    /** Province, outside the United States. */
    province?: string | null;
    /** State, in the United States. */
    state?: string | null;
    /** Postal code. */
    zip?: string | null;
    /** Telephone number. */
    phone?: string | null;
    /**
     * Format: uri
     * Web address.
     */
    website?: string | null;
    /** State or province; derived from `state` or `province` by default. */
    stateprovince?: string | null;
    /** Show a map on the page. */
    show_map?: boolean | null;
    /** Show a link to a map on the page. */
    show_map_link?: boolean | null;
    /** Latitude, -90 to 90. Requires `geo_lng`. */
    geo_lat?: number | null;
    /** Longitude, -180 to 180. Requires `geo_lat`. */
    geo_lng?: number | null;
}
export interface VenueList {
    venues: Venue[];
    /** Format: uri */
    rest_url: string;
    /** Format: uri */
    next_rest_url?: string;
    /** Format: uri */
    previous_rest_url?: string;
    total: number;
    total_pages: number;
}
export interface VenueMerge {
    /** Records to merge into it, at most 50. */
    from: number[];
    /** Fields of the survivor to set, for example values of the others, as in a change of it. */
    fields?: Record<string, unknown>;
    /** Only report the effects. */
    dry_run?: boolean;
}
/** Placeholder for text that the user may not see. */
export type Withheld = "No Access" | 0;
export interface WithheldCapacityDetails {
    /** @constant */
    available_percentage: 0;
    /** @constant */
    available: 0;
}
export interface WithheldDateDetails {
    year: Withheld;
    month: Withheld;
    day: Withheld;
    hour: Withheld;
    minutes: Withheld;
    seconds: Withheld;
}
export interface WithheldPriceDetails {
    currency_symbol: Withheld;
    currency_position: Withheld;
    values: Withheld[];
    suffix: Withheld;
    currency_decimal_separator: Withheld;
    /** @constant */
    currency_decimal_numbers: 0;
    currency_thousand_separator: Withheld;
}
export interface WithheldSalePrice {
    enabled: Withheld;
    sale_price: Withheld;
    start_date: Withheld;
    end_date: Withheld;
}
/** A ticket of an event that needs a password: numbers are 0, flags null and texts `No Access`. */
export interface WithheldTicket {
    description: Withheld;
    capacity: 0 | Withheld;
    on_sale: (boolean | null) | Withheld;
    iac: Withheld;
    price_suffix: Withheld;
    /** @constant */
    post_id: 0;
    provider: Withheld;
    /** @constant */
    id: 0;
    type: Withheld;
    global_id: Withheld;
    global_id_lineage: Withheld[];
    author: Withheld;
    status: Withheld;
    date: Withheld;
    date_utc: Withheld;
    modified: Withheld;
    modified_utc: Withheld;
    title: Withheld;
    image: boolean | null;
    available_from: Withheld;
    available_from_details: WithheldDateDetails;
    available_until: Withheld;
    available_until_details: WithheldDateDetails;
    capacity_details: WithheldCapacityDetails;
    is_available: boolean | null;
    cost: Withheld;
    cost_details: WithheldPriceDetails;
    sale_price_data: WithheldSalePrice | Withheld[];
    supports_attendee_information: boolean | null;
    attendees: unknown[];
    rest_url: Withheld;
}
