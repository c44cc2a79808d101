/**
 * Who may do what: a row for each endpoint and situation, a column for each caller, played by rights.test.ts on both
 * databases. rights-situations.ts has the requests. "Of the author" and so on says whose record it is.
 *
 * Columns, in five groups: nobody and an account of each role; tokens of the administrator with one scope each; the same
 * of the author; an application password of the author; check-in keys: of the site, of the event where the record is
 * (`gate`), of another event. An expired token, which has no column, is refused everywhere.
 *
 * A cell is the status of the answer, or what a good one shows. `none`: a list or feed without the record. `mask`: the
 * record without what a password hides. `200`: the record as everybody sees it. `full`: also attendance, e-mail
 * addresses, check-ins or the content of a code. `publ`, `pend`, `comp`: the status of a new record or order. `own`,
 * `all`: whose tokens are listed. `raw`: the texts as they are stored.
 */
export const RIGHTS = `
                            no-  sub- door con- au-  edi- adm- | administrator's token      | author's token             |      | check-in key
                            body scr.      tri. thor tor  in.  | read event tick check admin| read event tick check admin| app  | site gate other
events.index
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

events.doc
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

tickets.index
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

tickets.doc
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

admin.index
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

admin.doc
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

events.list
  published                 200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200
  draft of the author       none none none none 200  full full | full 200  full none full | 200  200  200  none 200  | 200  | none none none
  draft of the contributor  none none none 200  none full full | full 200  full none full | none none none none none | none | none none none
  draft of the editor       none none none none none full full | full 200  full none full | none none none none none | none | none none none
  private of the author     none none none none 200  full full | full 200  full none full | 200  200  200  none 200  | 200  | none none none
  with a password           mask mask mask mask mask full full | mask 200  mask mask full | mask mask mask mask mask | mask | mask mask mask
  the author’s with one     mask mask mask mask 200  full full | mask 200  mask mask full | mask 200  mask mask 200  | 200  | mask mask mask
  the contributor’s         mask mask mask mask mask full full | mask 200  mask mask full | mask mask mask mask mask | mask | mask mask mask
  in the trash              none none none none none none none | none none none none none | none none none none none | none | none none none
  hidden from listings      none none none none none full full | none 200  none none full | none none none none none | none | full none none
  found by what is masked   none none none none none full full | none 200  none none full | none none none none none | none | none none none
  by a missing language     401  403  403  200  200  full full | 403  200  403  403  full | 403  200  403  403  200  | 200  | 401  401  401

events.create
  to be published           401  403  403  pend publ publ publ | 403  publ 403  403  publ | 403  publ 403  403  publ | publ | 401  401  401
  of another account        400  400  400  403  403  201  201  | 400  201  400  400  201  | 400  403  400  400  403  | 403  | 400  400  400
  at an editor’s draft      400  400  400  400  400  201  201  | 403  201  403  400  201  | 400  400  400  400  400  | 400  | 400  400  400

events.read
  published                 200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200
  draft of the author       403  403  403  403  200  full full | full 200  full 403  full | 200  200  200  403  200  | 200  | 403  403  403
  draft of the contributor  403  403  403  200  403  full full | full 200  full 403  full | 403  403  403  403  403  | 403  | 403  403  403
  draft of the editor       403  403  403  403  403  full full | full 200  full 403  full | 403  403  403  403  403  | 403  | 403  403  403
  private of the author     403  403  403  403  200  full full | full 200  full 403  full | 200  200  200  403  200  | 200  | 403  403  403
  with a password           403  403  403  403  403  full full | 403  200  403  403  full | 403  403  403  403  403  | 403  | 403  403  403
  the author’s with one     403  403  403  403  200  full full | 403  200  403  403  full | 403  200  403  403  200  | 200  | 403  403  403
  the contributor’s         403  403  403  403  403  full full | 403  200  403  403  full | 403  403  403  403  403  | 403  | 403  403  403
  in the trash              403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 403  403  403
  missing                   404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

events.update
  published of the author   401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  draft of the author       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  published of contributor  401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  draft of the contributor  401  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  published of the editor   401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  in the trash              401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  missing                   401  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

events.delete
  published of the author   401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  draft of the author       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  published of contributor  401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  draft of the contributor  401  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  published of the editor   401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

events.ical
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       none none none none 200  200  200  | 200  200  200  none 200  | 200  200  200  none 200  | 200  | none none none
  draft of the contributor  none none none 200  none 200  200  | 200  200  200  none 200  | none none none none none | none | none none none
  draft of the editor       none none none none none 200  200  | 200  200  200  none 200  | none none none none none | none | none none none
  private of the author     none none none none 200  200  200  | 200  200  200  none 200  | 200  200  200  none 200  | 200  | none none none
  with a password           mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask
  the author’s with one     mask mask mask mask 200  200  200  | mask 200  mask mask 200  | mask 200  mask mask 200  | 200  | mask mask mask
  the contributor’s         mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask
  in the trash              none none none none none none none | none none none none none | none none none none none | none | none none none
  hidden from listings      none none none none none 200  200  | none 200  none none 200  | none none none none none | none | 200  none none
  found by what is masked   none none none none none 200  200  | none 200  none none 200  | none none none none none | none | none none none

events.read_ical
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       403  403  403  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 403  403  403
  draft of the contributor  403  403  403  200  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 403  403  403
  draft of the editor       403  403  403  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 403  403  403
  private of the author     403  403  403  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 403  403  403
  with a password           mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask
  the author’s with one     mask mask mask mask 200  200  200  | mask 200  mask mask 200  | mask 200  mask mask 200  | 200  | mask mask mask
  the contributor’s         mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask
  in the trash              403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 403  403  403
  missing                   404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

venues.list
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       none none none none 200  200  200  | 200  200  200  none 200  | 200  200  200  none 200  | 200  | none none none
  draft of the editor       none none none none none 200  200  | 200  200  200  none 200  | none none none none none | none | none none none
  in the trash              none none none none none none none | none none none none none | none none none none none | none | none none none

venues.create
  to be published           401  403  403  pend publ publ publ | 403  publ 403  403  publ | 403  publ 403  403  publ | publ | 401  401  401

venues.read
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       403  403  403  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 403  403  403
  draft of the editor       403  403  403  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 403  403  403
  in the trash              403  403  403  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 403  403  403
  missing                   400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 400  400  400

venues.update
  published of the author   401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  draft of the contributor  401  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  published of the editor   401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

venues.delete
  published of the author   401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  draft of the contributor  401  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  published of the editor   401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

categories.list
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

categories.create
  new                       401  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401

categories.read
  any                       200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

categories.update
  any                       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

categories.delete
  any                       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

tags.list
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

tags.create
  new                       401  403  403  403  403  201  201  | 403  201  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401

tags.read
  any                       200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

tags.update
  any                       401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

tags.delete
  any                       401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

tickets.list
  published                 200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200
  draft of the author       none none none none 200  full full | full 200  full none full | 200  200  200  none 200  | 200  | none none none
  draft of the contributor  none none none 200  none full full | full 200  full none full | none none none none none | none | none none none
  draft of the editor       none none none none none full full | full 200  full none full | none none none none none | none | none none none
  private of the author     none none none none 200  full full | full 200  full none full | 200  200  200  none 200  | 200  | none none none
  with a password           mask mask full mask mask full full | full 200  full full full | mask mask mask mask mask | mask | full mask mask
  the author’s with one     mask mask full mask 200  full full | full 200  full full full | mask 200  200  mask 200  | 200  | full mask mask
  the contributor’s         mask mask full mask mask full full | full 200  full full full | mask mask mask mask mask | mask | full mask mask
  in the trash              none none none none none none none | none none none none none | none none none none none | none | none none none
  by who has checked in     401  403  full 403  403  full full | full 403  full full full | 403  403  403  403  403  | 403  | full full none

tickets.create
  published of the author   403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403
  published of contributor  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403
  draft of the contributor  403  403  403  202  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403
  published of the editor   403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403

tickets.read
  published                 200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200
  draft of the author       401  401  401  401  200  full full | full 200  full 401  full | 200  200  200  401  200  | 200  | 401  401  401
  draft of the contributor  401  401  401  200  401  full full | full 200  full 401  full | 401  401  401  401  401  | 401  | 401  401  401
  draft of the editor       401  401  401  401  401  full full | full 200  full 401  full | 401  401  401  401  401  | 401  | 401  401  401
  private of the author     401  401  401  401  200  full full | full 200  full 401  full | 200  200  200  401  200  | 200  | 401  401  401
  with a password           mask mask full mask mask full full | full 200  full full full | mask mask mask mask mask | mask | full mask mask
  the author’s with one     mask mask full mask 200  full full | full 200  full full full | mask 200  200  mask 200  | 200  | full mask mask
  the contributor’s         mask mask full mask mask full full | full 200  full full full | mask mask mask mask mask | mask | full mask mask
  in the trash              401  401  401  401  401  401  401  | 401  401  401  401  401  | 401  401  401  401  401  | 401  | 401  401  401
  missing                   404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

tickets.update
  published of the author   403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403
  published of contributor  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403
  draft of the contributor  403  403  403  202  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403
  published of the editor   403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403

tickets.delete
  published of the author   403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403
  published of contributor  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403
  draft of the contributor  401  401  401  202  401  202  202  | 403  403  202  401  202  | 401  401  401  401  401  | 401  | 401  401  401
  published of the editor   403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403

tickets.availability
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401

nonces.create
  published of the author   401  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401
  published of contributor  401  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401
  draft of the contributor  401  403  403  201  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401
  published of the editor   401  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401
  missing event             401  403  403  403  403  400  400  | 403  403  400  403  400  | 403  403  403  403  403  | 403  | 401  401  401
  any event                 401  403  403  201  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401

attendees.list
  coming                    200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200
  who opted out             none none full none none full full | full none full full full | none none none none none | none | full full none
  of a private event        none none full none none full full | full none full full full | none none none none none | none | full none none
  by check-in               401  403  full 403  403  full full | full 403  full full full | 403  403  403  403  403  | 403  | full full none
  by e-mail                 401  403  full 403  403  full full | full 403  full full full | 403  403  403  403  403  | 403  | full full none

attendees.create
  any ticket                401  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401
  missing ticket            401  403  403  403  403  400  400  | 403  403  400  403  400  | 403  403  403  403  403  | 403  | 401  401  401

attendees.read
  coming                    200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200
  who opted out             401  401  full 401  401  full full | full 401  full full full | 401  401  401  401  401  | 401  | full full 401
  of a private event        401  401  full 401  401  full full | full 401  full full full | 401  401  401  401  401  | 401  | full 401  401
  missing                   401  401  404  401  401  404  404  | 404  401  404  404  404  | 401  401  401  401  401  | 401  | 404  401  401

attendees.update
  check in                  401  403  201  403  403  201  201  | 403  403  201  201  201  | 403  403  403  403  403  | 403  | 201  201  401
  rename                    401  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401
  of a private event        401  403  201  403  403  201  201  | 403  403  201  201  201  | 403  403  403  403  403  | 403  | 201  401  401
  missing                   401  403  404  403  403  404  404  | 403  403  404  404  404  | 403  403  403  403  403  | 403  | 404  401  401

attendees.inspect
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401

cart.read
  empty                     200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  of an editor’s draft      400  400  400  400  400  403  403  | 403  403  403  400  403  | 400  400  400  400  400  | 400  | 400  400  400

cart.save
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       400  400  400  400  200  200  200  | 200  200  200  400  200  | 200  200  200  400  200  | 200  | 400  400  400
  with a password           400  400  200  400  400  200  200  | 200  200  200  200  200  | 400  400  400  400  400  | 400  | 200  400  400
  the author’s with one     400  400  200  400  200  200  200  | 200  200  200  200  200  | 400  200  200  400  200  | 200  | 200  400  400

cart.checkout
  to be paid                pend pend pend pend pend pend pend | pend pend pend pend pend | pend pend pend pend pend | pend | pend pend pend
  paid by hand              pend pend pend pend pend comp comp | pend pend comp pend comp | pend pend pend pend pend | pend | pend pend pend

buyers_orders.read
  with its token            200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  with another token        404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404
  missing                   404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

buyers_orders.update
  with its token            200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  with another token        404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

buyers_orders.cancel
  with its token            200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  with another token        404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

held_tickets.read
  right code                200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  wrong code                404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404
  missing                   404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

held_tickets.update
  right code                200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  wrong code                404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

held_tickets.transfer
  right code                200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  wrong code                404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

replies.create
  published                 201  201  201  201  201  201  201  | 201  201  201  201  201  | 201  201  201  201  201  | 201  | 201  201  201
  draft of the author       400  400  400  400  201  201  201  | 201  201  201  400  201  | 201  201  201  400  201  | 201  | 400  400  400
  with a password           400  400  201  400  400  201  201  | 201  201  201  201  201  | 400  400  400  400  400  | 400  | 201  400  400

replies.update
  right code                200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  wrong code                404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

qr.scan
  right code                400  400  201  400  400  201  201  | 400  400  201  201  201  | 400  400  400  400  400  | 400  | 201  201  403
  with a wrong key          400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 201  201  403

qr.scan_get
  right code                400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 201  201  403
  with a wrong key          400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 201  201  403

qr.read
  coming                    200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200
  who opted out             200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200
  of a private event        200  200  full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full 200  200

media.upload
  any                       401  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401

media.list
  always                    401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

media.read
  any                       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  missing                   401  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

media.update
  of the author             401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

media.replace
  of the author             401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

media.delete
  of the author             401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

media.used_by
  any                       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  missing                   401  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

venues.counted
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

organizers.counted
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

categories.counted
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

tags.counted
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

venues.duplicates
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

organizers.duplicates
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

categories.duplicates
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

tags.duplicates
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

venues.merge
  of the author             401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  one of each               401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

organizers.merge
  of the author             401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  one of each               401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

categories.merge
  any                       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

tags.merge
  any                       401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

merges.undo
  of the author’s venues    401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  of the editor’s venues    401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  of tags                   401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

translations.progress
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

translations.missing
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

orders.list
  always                    401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401

orders.read
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401

orders.update
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401

orders.create
  any                       401  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401

orders.cancel_places
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401

orders.export
  always                    401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401

attendees.search
  always                    401  403  200  403  403  200  200  | 200  403  200  200  200  | 403  403  403  403  403  | 403  | 200  200  200
  of the gate               401  403  200  403  403  200  200  | 200  403  200  200  200  | 403  403  403  403  403  | 403  | 200  200  200
  with orders               401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401

attendees.move
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401

attendees.renew_code
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401

attendees.export
  always                    401  403  200  403  403  200  200  | 200  403  200  200  200  | 403  403  403  403  403  | 403  | 200  200  200

events.export
  always                    401  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

batch.run
  any                       401  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401

check_in_keys.list
  always                    401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

check_in_keys.create
  any                       401  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401

check_in_keys.delete
  any                       401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

events.duplicate
  published of the author   401  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401
  published of contributor  401  403  403  201  403  201  201  | 403  201  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

events.stock
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401

holds.release
  any                       401  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401

reports.sales
  always                    401  403  403  200  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 401  401  401

reports.attendance
  always                    401  403  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  403  200  | 200  | 200  200  200

reports.overview
  always                    401  403  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  403  200  | 200  | 200  200  200

system.read
  always                    401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

examples.create
  always                    401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

site.read
  always                    200  200  200  200  200  200  full | 200  200  200  200  full | 200  200  200  200  200  | 200  | 200  200  200

site.update
  any                       401  403  403  403  403  403  full | 403  403  403  403  full | 403  403  403  403  403  | 403  | 401  401  401

session.create
  any                       201  201  201  201  201  201  201  | 201  201  201  201  201  | 201  201  201  201  201  | 201  | 201  201  201

session.create_by_link
  any                       201  201  201  201  201  201  201  | 201  201  201  201  201  | 201  201  201  201  201  | 201  | 201  201  201

session.remove
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

sessions.list
  of the caller             401  200  200  200  200  200  200  | 403  403  403  403  200  | 403  403  403  403  200  | 200  | 401  401  401
  of all accounts           401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

sessions.remove
  of the author             401  404  404  404  200  404  200  | 404  404  404  404  200  | 403  403  403  403  200  | 200  | 401  401  401

me.read
  always                    401  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401

me.confirm
  without a session         401  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401

second_factor.create
  without a session         401  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401

second_factor.confirm
  without a session         401  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401

second_factor.remove
  without a session         401  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401

second_factor.recovery_codes
  without a session         401  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401

authors.list
  always                    401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

users.list
  always                    401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

users.create
  any                       401  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401

users.read
  of the author             401  403  403  403  200  403  200  | 403  403  403  403  200  | 200  200  200  200  200  | 200  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401

users.update
  e-mail of the author      401  403  403  403  200  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  role of the author        401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  e-mail of the editor      401  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

users.remove
  any                       401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401

users.remove_second_factor
  of another                401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401

users.sign_in_link
  of the author             401  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401

users.sign_in_links
  of the author             401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401

users.revoke_sign_in_link
  of the author             401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401

application_passwords.list
  of the author             401  403  403  403  200  403  200  | 403  403  403  403  200  | 403  403  403  403  200  | 200  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

application_passwords.create
  of the author             401  403  403  403  201  403  201  | 403  403  403  403  201  | 403  403  403  403  201  | 403  | 401  401  401
  of the editor             401  403  403  403  403  201  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401

application_passwords.remove
  of the author             401  403  403  403  200  403  200  | 403  403  403  403  200  | 403  403  403  403  200  | 200  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

tokens.list
  of all accounts           401  own  own  own  own  own  all  | 403  403  403  403  all  | 403  403  403  403  own  | own  | 401  401  401
  of the editor             401  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401

tokens.create
  of the caller             401  201  201  201  201  201  201  | 403  403  403  403  201  | 403  403  403  403  201  | 403  | 401  401  401
  of the editor             401  403  403  403  403  201  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401

tokens.remove
  of the author             401  404  404  404  200  404  200  | 404  404  404  404  200  | 403  403  403  403  200  | 200  | 401  401  401
  of the editor             401  404  404  404  404  200  200  | 404  404  404  404  200  | 404  404  404  404  404  | 404  | 401  401  401

audit.list
  always                    401  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  event of the author       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

audit.read
  event of the author       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  missing                   401  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401

audit.restore
  event of the author       401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  missing                   401  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401

wp.index
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

wp_events.list
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       400  400  400  none 200  200  200  | 200  200  200  400  200  | 200  200  200  400  200  | 200  | 400  400  400
  with a password           mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask
  the author’s with one     mask mask mask mask 200  200  200  | mask 200  mask mask 200  | mask 200  mask mask 200  | 200  | mask mask mask
  hidden from listings      none none none none none 200  200  | none 200  none none 200  | none none none none none | none | 200  none none
  found by what is masked   none none none none none 200  200  | none 200  none none 200  | none none none none none | none | none none none
  as it is stored           401  403  403  200  200  raw  raw  | 403  raw  403  403  raw  | 403  200  403  403  200  | 200  | 401  401  401

wp_events.create
  to be published           401  403  403  pend publ publ publ | 403  publ 403  403  publ | 403  publ 403  403  publ | publ | 401  401  401
  of another account        400  400  400  403  403  201  201  | 400  201  400  400  201  | 400  403  400  400  403  | 403  | 400  400  400

wp_events.read
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       401  403  403  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 401  401  401
  draft of the contributor  401  403  403  200  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  private of the author     401  403  403  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 401  401  401
  with a password           mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask
  the author’s with one     mask mask mask mask 200  200  200  | mask 200  mask mask 200  | mask 200  mask mask 200  | 200  | mask mask mask
  in the trash              401  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404
  as it is stored           401  403  403  403  403  raw  raw  | 403  raw  403  403  raw  | 403  403  403  403  403  | 403  | 401  401  401

wp_events.update
  published of the author   401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  published of contributor  401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  draft of the contributor  401  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  in the trash              401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  missing                   401  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

wp_venues.list
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       400  400  400  none 200  200  200  | 200  200  200  400  200  | 200  200  200  400  200  | 200  | 400  400  400

wp_venues.create
  to be published           401  403  403  pend publ publ publ | 403  publ 403  403  publ | 403  publ 403  403  publ | publ | 401  401  401

wp_venues.read
  published                 200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  draft of the author       401  403  403  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 401  401  401
  draft of the editor       401  403  403  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  in the trash              401  403  403  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404

wp_venues.update
  published of the author   401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  draft of the contributor  401  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  published of the editor   401  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401
  missing                   401  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

wp_categories.list
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

wp_categories.create
  new                       401  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401

wp_categories.read
  any                       200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

wp_tags.list
  always                    200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

wp_tags.create
  new                       401  403  403  403  403  201  201  | 403  201  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401

wp_tags.read
  any                       200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200

wp_media.upload
  any                       401  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401

wp_media.list
  always                    401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401

wp_media.read
  of no record              401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  of a published event      200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200
  of a masked event         401  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401
  missing                   401  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401

wp_users.me
  always                    401  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401
`;

export const COLUMNS = [
  ...['nobody', 'subscriber', 'door', 'contributor', 'author', 'editor', 'administrator'],
  ...['A/read', 'A/events', 'A/tickets', 'A/checkin', 'A/admin'],
  ...['a/read', 'a/events', 'a/tickets', 'a/checkin', 'a/admin'],
  ...['app', 'site', 'gate', 'other'],
];

const bySlug = (plural: string): [string, string][] =>
  ['read', 'update', 'delete'].map((action) => [`${plural}.${action}_by_slug`, `${plural}.${action}`]);
const ACTIONS = ['list', 'create', 'read', 'update', 'delete'];

/** Endpoints that share the rows of another one. */
export const SAME: Readonly<Record<string, string>> = Object.fromEntries([
  ...bySlug('events'),
  ['events.read_ical_by_slug', 'events.read_ical'],
  ...['rss', 'atom', 'json_feed'].map((format) => [`events.${format}`, 'events.ical']),
  ...bySlug('venues'),
  ...ACTIONS.map((action) => [`organizers.${action}`, `venues.${action}`]),
  ...['list', 'create', 'read', 'update'].map((action) => [`wp_organizers.${action}`, `wp_venues.${action}`]),
  ...bySlug('organizers').map(([name, other]) => [name, other.replace('organizers', 'venues')]),
]);

export interface Row {
  endpoint: string;
  situation: string;
  cells: readonly string[];
}

/** Parses the table: a line without indentation names the endpoint of the following lines. */
export function rowsOf(table: string): Row[] {
  let endpoint = '';
  return table.split('\n').flatMap((line) => {
    const named = /^(\w+\.\w+)$/.exec(line)?.[1];
    endpoint = named ?? endpoint;
    const [, situation = '', cells = ''] = /^ {2}(\S.{25})(.*)$/.exec(line) ?? [];
    if (situation === '') return [];
    return { endpoint, situation: situation.trim(), cells: cells.split(/[ |]+/) };
  });
}
