/**
 * Rights: a row for each endpoint and situation, a column for each viewer, played by rights.test.ts on both
 * databases. rights-situations.ts has the requests. "Of the author" and so on says whose record it is.
 *
 * Columns, in six groups: no account and an account of each role; tokens of the administrator with one scope each; the
 * same of the author; an application password of the author; check-in keys: of the site, of the event where the record is
 * (`gate`), of another event. The last group may refund: an editor to whom an administrator gave the right, and a token of
 * the administrator with the scope `money:write`. An expired token, which has no column, is refused everywhere.
 *
 * A cell is the status of the response, or the content of a successful one. `none`: a list or feed without the record.
 * `mask`: the record with placeholders for what a password hides. `200`: the record as every viewer sees it. `full`: also
 * attendance, e-mail addresses, check-ins, the content of a code or the link of an order. `publ`, `pend`, `comp`: the
 * status of a new record or order. `own`,
 * `all`: whose tokens are listed. `raw`: the texts as they are stored.
 */
export const RIGHTS = `
                            no-  sub- door box  con- au-  edi- adm- | administrator's token      | author's token             |      | check-in key   | refunds
                            body scr.      off. tri. thor tor  in.  | read event tick check admin| read event tick check admin| app  | site gate other| edi. token
events.index
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

events.doc
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

tickets.index
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

tickets.doc
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

admin.index
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

admin.doc
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

events.list
  published                 200  200  full full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200 | full 200
  draft of the author       none none none full none full full full | full 200  full none full | full 200  full none full | full | none none none | full 200
  draft of the contributor  none none none full 200  none full full | full 200  full none full | none none none none none | none | none none none | full 200
  draft of the editor       none none none full none none full full | full 200  full none full | none none none none none | none | none none none | full 200
  private of the author     none none none full none full full full | full 200  full none full | full 200  full none full | full | none none none | full 200
  with a password           mask mask mask mask mask mask full full | mask 200  mask mask full | mask mask mask mask mask | mask | mask mask mask | full mask
  the author’s with one     mask mask mask mask mask full full full | mask 200  mask mask full | mask 200  mask mask full | full | mask mask mask | full mask
  the contributor’s         mask mask mask mask mask mask full full | mask 200  mask mask full | mask mask mask mask mask | mask | mask mask mask | full mask
  in the trash              none none none none none none none none | none none none none none | none none none none none | none | none none none | none none
  hidden from listings      none none none none none none full full | none 200  none none full | none none none none none | none | full none none | full none
  found by what is masked   none none none none none none full full | none 200  none none full | none none none none none | none | none none none | full none
  by a missing language     401  403  403  403  200  200  full full | 403  200  403  403  full | 403  200  403  403  200  | 200  | 401  401  401 | full 403

events.create
  to be published           401  403  403  403  pend publ publ publ | 403  publ 403  403  publ | 403  publ 403  403  publ | publ | 401  401  401 | publ 403
  of another account        400  400  400  400  403  403  201  201  | 400  201  400  400  201  | 400  403  400  400  403  | 403  | 400  400  400 | 201  400
  at an editor’s draft      400  400  400  403  400  400  201  201  | 403  201  403  400  201  | 400  400  400  400  400  | 400  | 400  400  400 | 201  403

events.read
  published                 200  200  full full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200 | full 200
  draft of the author       403  403  403  full 403  full full full | full 200  full 403  full | full 200  full 403  full | full | 403  403  403 | full 200
  draft of the contributor  403  403  403  full 200  403  full full | full 200  full 403  full | 403  403  403  403  403  | 403  | 403  403  403 | full 200
  draft of the editor       403  403  403  full 403  403  full full | full 200  full 403  full | 403  403  403  403  403  | 403  | 403  403  403 | full 200
  private of the author     403  403  403  full 403  full full full | full 200  full 403  full | full 200  full 403  full | full | 403  403  403 | full 200
  with a password           403  403  403  403  403  403  full full | 403  200  403  403  full | 403  403  403  403  403  | 403  | 403  403  403 | full 403
  the author’s with one     403  403  403  403  403  full full full | 403  200  403  403  full | 403  200  403  403  full | full | 403  403  403 | full 403
  the contributor’s         403  403  403  403  403  403  full full | 403  200  403  403  full | 403  403  403  403  403  | 403  | 403  403  403 | full 403
  in the trash              403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 403  403  403 | 403  403
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

events.update
  published of the author   401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  draft of the author       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  published of contributor  401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  draft of the contributor  401  403  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  published of the editor   401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  in the trash              401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  all of an author’s series 401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  all, one of the editor    401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

events.delete
  published of the author   401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  draft of the author       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  published of contributor  401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  draft of the contributor  401  403  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  published of the editor   401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  all of an author’s series 401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  all, one of the editor    401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

events.ical
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       none none none 200  none 200  200  200  | 200  200  200  none 200  | 200  200  200  none 200  | 200  | none none none | 200  200
  draft of the contributor  none none none 200  200  none 200  200  | 200  200  200  none 200  | none none none none none | none | none none none | 200  200
  draft of the editor       none none none 200  none none 200  200  | 200  200  200  none 200  | none none none none none | none | none none none | 200  200
  private of the author     none none none 200  none 200  200  200  | 200  200  200  none 200  | 200  200  200  none 200  | 200  | none none none | 200  200
  with a password           mask mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask | 200  mask
  the author’s with one     mask mask mask mask mask 200  200  200  | mask 200  mask mask 200  | mask 200  mask mask 200  | 200  | mask mask mask | 200  mask
  the contributor’s         mask mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask | 200  mask
  in the trash              none none none none none none none none | none none none none none | none none none none none | none | none none none | none none
  hidden from listings      none none none none none none 200  200  | none 200  none none 200  | none none none none none | none | 200  none none | 200  none
  found by what is masked   none none none none none none 200  200  | none 200  none none 200  | none none none none none | none | none none none | 200  none

events.read_ical
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       403  403  403  200  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 403  403  403 | 200  200
  draft of the contributor  403  403  403  200  200  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 403  403  403 | 200  200
  draft of the editor       403  403  403  200  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 403  403  403 | 200  200
  private of the author     403  403  403  200  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 403  403  403 | 200  200
  with a password           mask mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask | 200  mask
  the author’s with one     mask mask mask mask mask 200  200  200  | mask 200  mask mask 200  | mask 200  mask mask 200  | 200  | mask mask mask | 200  mask
  the contributor’s         mask mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask | 200  mask
  in the trash              403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 403  403  403 | 403  403
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

series.read
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       404  404  404  200  404  200  200  200  | 200  200  200  404  200  | 200  200  200  404  200  | 200  | 404  404  404 | 200  200
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

series.occurrences
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       404  404  404  200  404  200  200  200  | 200  200  200  404  200  | 200  200  200  404  200  | 200  | 404  404  404 | 200  200
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

series.update
  published of the author   401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  draft of the author       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  published of contributor  401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  draft of the contributor  401  403  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  published of the editor   401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

series.delete
  published of the author   401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  draft of the author       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  published of contributor  401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  draft of the contributor  401  403  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  published of the editor   401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

series.create
  any                       401  403  403  403  201  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401 | 201  403

series.list
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

venues.list
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       none none none 200  none 200  200  200  | 200  200  200  none 200  | 200  200  200  none 200  | 200  | none none none | 200  200
  draft of the editor       none none none 200  none none 200  200  | 200  200  200  none 200  | none none none none none | none | none none none | 200  200
  in the trash              none none none none none none none none | none none none none none | none none none none none | none | none none none | none none

venues.create
  to be published           401  403  403  403  pend publ publ publ | 403  publ 403  403  publ | 403  publ 403  403  publ | publ | 401  401  401 | publ 403

venues.read
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       403  403  403  200  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 403  403  403 | 200  200
  draft of the editor       403  403  403  200  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 403  403  403 | 200  200
  in the trash              403  403  403  200  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 403  403  403 | 200  200
  missing                   400  400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 400  400  400 | 400  400

venues.update
  published of the author   401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  draft of the contributor  401  403  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  published of the editor   401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

venues.delete
  published of the author   401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  draft of the contributor  401  403  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  published of the editor   401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

categories.list
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

categories.create
  new                       401  403  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401 | 201  403

categories.read
  any                       200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

categories.update
  any                       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

categories.delete
  any                       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

tags.list
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

tags.create
  new                       401  403  403  403  403  403  201  201  | 403  201  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403

tags.read
  any                       200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

tags.update
  any                       401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

tags.delete
  any                       401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

tickets.list
  published                 200  200  full full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200 | full 200
  draft of the author       none none none full none full full full | full 200  full none full | full 200  full none full | full | none none none | full 200
  draft of the contributor  none none none full 200  none full full | full 200  full none full | none none none none none | none | none none none | full 200
  draft of the editor       none none none full none none full full | full 200  full none full | none none none none none | none | none none none | full 200
  private of the author     none none none full none full full full | full 200  full none full | full 200  full none full | full | none none none | full 200
  with a password           mask mask full full mask mask full full | full 200  full full full | mask mask mask mask mask | mask | full mask mask | full mask
  the author’s with one     mask mask full full mask full full full | full 200  full full full | full 200  full full full | full | full mask mask | full mask
  the contributor’s         mask mask full full mask mask full full | full 200  full full full | mask mask mask mask mask | mask | full mask mask | full mask
  in the trash              none none none none none none none none | none none none none none | none none none none none | none | none none none | none none
  by who has checked in     401  403  full full 403  none full full | full 403  full full full | none 403  none none none | none | full full none | full 403
  own by who has checked in 401  403  full full 403  full full full | full 403  full full full | full 403  full full full | full | full none none | full 403

tickets.create
  published of the author   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  published of contributor  403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  draft of the contributor  403  403  403  403  202  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  published of the editor   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  all of an author’s series 403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  all, one of the editor    403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  following, one editor’s   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  this, one of the editor   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  pass of author’s series   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  pass, one of the editor   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403

tickets.read
  published                 200  200  full full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200 | full 200
  draft of the author       401  401  401  full 401  full full full | full 200  full 401  full | full 200  full 401  full | full | 401  401  401 | full 200
  draft of the contributor  401  401  401  full 200  401  full full | full 200  full 401  full | 401  401  401  401  401  | 401  | 401  401  401 | full 200
  draft of the editor       401  401  401  full 401  401  full full | full 200  full 401  full | 401  401  401  401  401  | 401  | 401  401  401 | full 200
  private of the author     401  401  401  full 401  full full full | full 200  full 401  full | full 200  full 401  full | full | 401  401  401 | full 200
  with a password           mask mask full full mask mask full full | full 200  full full full | mask mask mask mask mask | mask | full mask mask | full mask
  the author’s with one     mask mask full full mask full full full | full 200  full full full | full 200  full full full | full | full mask mask | full mask
  the contributor’s         mask mask full full mask mask full full | full 200  full full full | mask mask mask mask mask | mask | full mask mask | full mask
  in the trash              401  401  401  401  401  401  401  401  | 401  401  401  401  401  | 401  401  401  401  401  | 401  | 401  401  401 | 401  401
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

tickets.update
  published of the author   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  published of contributor  403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  draft of the contributor  403  403  403  403  202  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  published of the editor   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  all of an author’s series 403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  all, one of the editor    403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  following, one editor’s   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  this, one of the editor   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  pass of author’s series   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  pass, one of the editor   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403

tickets.delete
  published of the author   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  published of contributor  403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  draft of the contributor  401  401  401  403  202  401  202  202  | 403  403  202  401  202  | 401  401  401  401  401  | 401  | 401  401  401 | 202  403
  published of the editor   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  all of an author’s series 403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  all, one of the editor    403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  following, one editor’s   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403
  this, one of the editor   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  pass of author’s series   403  403  403  403  403  202  202  202  | 403  403  202  403  202  | 403  403  202  403  202  | 202  | 403  403  403 | 202  403
  pass, one of the editor   403  403  403  403  403  403  202  202  | 403  403  202  403  202  | 403  403  403  403  403  | 403  | 403  403  403 | 202  403

tickets.availability
  any                       401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  missing                   401  403  403  404  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404
  of the author’s event     401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200

tickets.missing_dates
  any                       401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  missing                   401  403  403  404  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404
  of the author’s event     401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200

nonces.create
  published of the author   401  403  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403
  published of contributor  401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  draft of the contributor  401  403  403  403  201  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  published of the editor   401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  missing event             401  403  403  403  403  403  400  400  | 403  403  400  403  400  | 403  403  403  403  403  | 403  | 401  401  401 | 400  403
  any event                 401  403  403  403  201  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403

attendees.list
  coming                    200  200  full full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200 | full 200
  who opted out             none none full full none none full full | full none full full full | none none none none none | none | full full none | full none
  of a private event        none none full full none full full full | full none full full full | full none full full full | full | full none none | full none
  by check-in               401  403  full full 403  none full full | full 403  full full full | none 403  none none none | none | full full none | full 403
  by e-mail                 401  403  full full 403  none full full | full 403  full full full | none 403  none none none | none | full full none | full 403
  of the author’s event     none none full full none full full full | full none full full full | full none full full full | full | full none none | full none
  own by e-mail             401  403  full full 403  full full full | full 403  full full full | full 403  full full full | full | full none none | full 403

attendees.create
  any ticket                401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  missing ticket            401  403  403  403  403  403  400  400  | 403  403  400  403  400  | 403  403  403  403  403  | 403  | 401  401  401 | 400  403
  of the author’s event     401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403

attendees.read
  coming                    200  200  full full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200 | full 200
  who opted out             401  401  full full 401  401  full full | full 401  full full full | 401  401  401  401  401  | 401  | full full 401 | full 401
  of a private event        401  401  full full 401  full full full | full 401  full full full | full 401  full full full | full | full 401  401 | full 401
  missing                   401  401  404  404  401  401  404  404  | 404  401  404  404  404  | 401  401  401  401  401  | 401  | 404  401  401 | 404  401
  of the author’s event     401  401  full full 401  full full full | full 401  full full full | full 401  full full full | full | full 401  401 | full 401

attendees.update
  check in                  401  403  201  201  403  403  201  201  | 403  403  201  201  201  | 403  403  403  403  403  | 403  | 201  201  401 | 201  403
  rename                    401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  of a private event        401  403  201  201  403  201  201  201  | 403  403  201  201  201  | 403  403  201  201  201  | 201  | 201  401  401 | 201  403
  missing                   401  403  404  404  403  403  404  404  | 403  403  404  404  404  | 403  403  403  403  403  | 403  | 404  401  401 | 404  403
  check in the author’s     401  403  201  201  403  201  201  201  | 403  403  201  201  201  | 403  403  201  201  201  | 201  | 201  401  401 | 201  403
  rename the author’s       401  403  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403

attendees.inspect
  any                       401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  missing                   401  403  403  404  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404
  of the author’s event     401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200

cart.read
  empty                     200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  of an editor’s draft      400  400  400  403  400  400  403  403  | 403  403  403  400  403  | 400  400  400  400  400  | 400  | 400  400  400 | 403  403

cart.save
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       400  400  400  200  400  200  200  200  | 200  200  200  400  200  | 200  200  200  400  200  | 200  | 400  400  400 | 200  200
  with a password           400  400  200  200  400  400  200  200  | 200  200  200  200  200  | 400  400  400  400  400  | 400  | 200  400  400 | 200  400
  the author’s with one     400  400  200  200  400  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  400  400 | 200  400

cart.checkout
  to be paid                pend pend pend pend pend pend pend pend | pend pend pend pend pend | pend pend pend pend pend | pend | pend pend pend | pend pend
  paid by hand              pend pend pend pend pend pend comp comp | pend pend comp pend comp | pend pend pend pend pend | pend | pend pend pend | comp pend

buyers_orders.read
  with its token            200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  with another token        404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

buyers_orders.update
  with its token            200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  with another token        404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

buyers_orders.cancel
  with its token            200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  with another token        404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

buyers_orders.pay
  without a gateway         400  400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 400  400  400 | 400  400
  with another token        404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

buyers_orders.invoice
  that does not exist       404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404
  with another token        404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

buyers_orders.tickets_pdf
  with its token            200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  with another token        404  404  404  200  404  404  200  200  | 404  404  200  404  200  | 404  404  404  404  404  | 404  | 404  404  404 | 200  200

buyers_orders.invoice_pdf
  that does not exist       404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404
  with another token        404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

buyers_orders.check_payment
  with its token            200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  with another token        404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

gateways.webhook
  without its settings      404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

held_tickets.read
  token of its page         200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  right code                200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  wrong code                404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

held_tickets.pdf
  token of its page         200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  right code                200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  wrong code                404  404  200  200  404  404  200  200  | 200  404  200  200  200  | 404  404  404  404  404  | 404  | 200  200  404 | 200  404

held_tickets.apple_pass
  without its settings      404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

held_tickets.google_wallet
  without its settings      404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

buyers_orders.send_links
  any address               202  202  202  202  202  202  202  202  | 202  202  202  202  202  | 202  202  202  202  202  | 202  | 202  202  202 | 202  202

held_tickets.update
  token of its page         200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  right code                403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 403  403  403 | 403  403
  wrong code                404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

held_tickets.transfer
  token of its page         200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  right code                403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 403  403  403 | 403  403
  wrong code                404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

replies.create
  published                 201  201  201  201  201  201  201  201  | 201  201  201  201  201  | 201  201  201  201  201  | 201  | 201  201  201 | 201  201
  draft of the author       400  400  400  201  400  201  201  201  | 201  201  201  400  201  | 201  201  201  400  201  | 201  | 400  400  400 | 201  201
  with a password           400  400  201  201  400  400  201  201  | 201  201  201  201  201  | 400  400  400  400  400  | 400  | 201  400  400 | 201  400

replies.update
  token of a page           200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  right code                403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 403  403  403 | 403  403
  wrong code                404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

qr.scan
  right code                400  400  201  201  400  403  201  201  | 400  400  201  201  201  | 400  400  403  403  403  | 403  | 201  201  403 | 201  400
  with a wrong key          400  400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 201  201  403 | 400  400
  of the author’s event     400  400  201  201  400  201  201  201  | 400  400  201  201  201  | 400  400  201  201  201  | 201  | 201  403  403 | 201  400

qr.scan_get
  right code                400  400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 201  201  403 | 400  400
  with a wrong key          400  400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 201  201  403 | 400  400

qr.read
  coming                    200  200  full full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200 | full 200
  who opted out             200  200  full full 200  200  full full | full 200  full full full | 200  200  200  200  200  | 200  | full full 200 | full 200
  of a private event        200  200  full full 200  full full full | full 200  full full full | full 200  full full full | full | full 200  200 | full 200
  of the author’s event     200  200  full full 200  full full full | full 200  full full full | full 200  full full full | full | full 200  200 | full 200

media.upload
  any                       401  403  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401 | 201  403

media.list
  always                    401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

media.read
  any                       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

media.update
  of the author             401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  of the editor             401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

media.replace
  of the author             401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  of the editor             401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

media.delete
  of the author             401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  of the editor             401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

media.used_by
  any                       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

venues.counted
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

organizers.counted
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

categories.counted
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

tags.counted
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

venues.duplicates
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

organizers.duplicates
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

categories.duplicates
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

tags.duplicates
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

venues.merge
  of the author             401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  of the editor             401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  one of each               401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

organizers.merge
  of the author             401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  of the editor             401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  one of each               401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

categories.merge
  any                       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

tags.merge
  any                       401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

merges.undo
  of the author’s venues    401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  of the editor’s venues    401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of tags                   401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

translations.progress
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

translations.missing
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

orders.list
  always                    401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200
  of the editor’s event     401  403  403  200  403  none 200  200  | 403  403  200  403  200  | 403  403  none 403  none | none | 401  401  401 | 200  200
  of the author’s event     401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200
  of both                   401  403  403  200  403  none 200  200  | 403  403  200  403  200  | 403  403  none 403  none | none | 401  401  401 | 200  200

orders.read
  any                       401  403  403  200  403  403  full full | 403  403  full 403  full | 403  403  403  403  403  | 403  | 401  401  401 | full 200
  missing                   401  403  403  404  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404
  of the author’s event     401  403  403  200  403  full full full | 403  403  full 403  full | 403  403  full 403  full | full | 401  401  401 | full 200
  of both                   401  403  403  200  403  403  full full | 403  403  full 403  full | 403  403  403  403  403  | 403  | 401  401  401 | full 200

orders.update
  refund                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  refund the author’s       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  void                      401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  take the money            401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  for the author’s event    401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  for both                  401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  and write a note          401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  the customer              401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of an expired one         401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

orders.create
  any                       401  403  403  201  403  400  201  201  | 403  403  201  403  201  | 403  403  400  403  400  | 400  | 401  401  401 | 201  403
  for the author’s event    401  403  403  201  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403
  at another price          401  403  403  403  403  400  201  201  | 403  403  201  403  201  | 403  403  400  403  400  | 400  | 401  401  401 | 201  403
  own at another price      401  403  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403

orders.cancel_places
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

orders.issue_invoices
  any                       401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  of the author’s event     401  403  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

invoices.list
  of the editor’s event     401  403  403  403  403  none 200  200  | 403  403  200  403  200  | 403  403  none 403  none | none | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

invoices.export
  of the editor’s event     401  403  403  403  403  none 200  200  | 403  403  200  403  200  | 403  403  none 403  none | none | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

invoices.read
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

announcements.list
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author             401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

announcements.create
  any                       401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  of the author             401  403  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

event_reminders.read
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author             401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

event_reminders.update
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author             401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

reminders.unsubscribe
  with a forged token       400  400  400  400  400  400  400  400  | 400  400  400  400  400  | 400  400  400  400  400  | 400  | 400  400  400 | 400  400

mail_texts.list
  of the site               401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  404  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

mail_texts.write
  of the site               401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  404  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

mail_texts.delete
  of the site               401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  404  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

mail_texts.preview
  of the site               401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  404  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

mails.list
  to an account             401  403  403  403  403  none none 200  | 403  403  none 403  200  | 403  403  none 403  none | none | 401  401  401 | none 403
  of the editor’s event     401  403  403  403  403  none 200  200  | 403  403  200  403  200  | 403  403  none 403  none | none | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

mails.read
  to an account             401  403  403  403  403  403  404  200  | 403  403  404  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

mails.bounce
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

mails.send
  to an account             401  403  403  403  403  403  404  201  | 403  403  404  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403
  any                       401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  of the author’s event     401  403  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403
  to another address        401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

payments.list
  of the editor’s event     401  403  403  200  403  none 200  200  | 403  403  200  403  200  | 403  403  none 403  none | none | 401  401  401 | 200  200
  of the author’s event     401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200

payments.create
  any                       401  403  403  201  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  for the author’s event    401  403  403  201  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403
  of an expired one         401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  missing                   401  403  403  404  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

payments.close
  any                       401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

payments.check
  any                       401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  of the author’s event     401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200
  missing                   401  403  403  404  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404

refunds.create
  any                       401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  201
  of the author’s event     401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  201
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404

refunds.retry
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  of the author’s event     401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404

refunds.settle
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  of the author’s event     401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404

findings.list
  always                    401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200

findings.close
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404

orders.export
  always                    401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

attendees.search
  always                    401  403  200  200  403  200  200  200  | 200  403  200  200  200  | 200  403  200  200  200  | 200  | 200  200  200 | 200  403
  of the gate               401  403  200  200  403  200  200  200  | 200  403  200  200  200  | 200  403  200  200  200  | 200  | 200  200  200 | 200  403
  with orders               401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  with ends of codes        401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  of the editor’s event     401  403  200  200  403  none 200  200  | 200  403  200  200  200  | none 403  none none none | none | 200  200  none | 200  403
  of the author’s event     401  403  200  200  403  200  200  200  | 200  403  200  200  200  | 200  403  200  200  200  | 200  | 200  none none | 200  403

attendees.move
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  to the author’s event     401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

attendees.renew_code
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

attendees.export
  always                    401  403  200  403  403  200  200  200  | 200  403  200  200  200  | 200  403  200  200  200  | 200  | 200  200  200 | 200  403
  of the editor’s event     401  403  200  403  403  none 200  200  | 200  403  200  200  200  | none 403  none none none | none | 200  200  none | 200  403
  of the author’s event     401  403  200  403  403  200  200  200  | 200  403  200  200  200  | 200  403  200  200  200  | 200  | 200  none none | 200  403

events.export
  always                    401  403  403  403  200  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

batch.run
  any                       401  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401 | 200  200

gates.list
  always                    401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

gates.create
  any                       401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  of the author’s event     401  403  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403
  of both                   401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403

gates.update
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  403  404  403  404  | 403  403  404  403  404  | 404  | 401  401  401 | 404  403

gates.delete
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

gates.pairing
  any                       401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  of the author’s event     401  403  403  403  403  201  201  201  | 403  403  201  403  201  | 403  403  201  403  201  | 201  | 401  401  401 | 201  403

gates.devices
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

door_devices.revoke
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  403  404  403  404  | 403  403  404  403  404  | 404  | 401  401  401 | 404  403

door.pair
  with an unknown code      403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 403  403  403 | 403  403

door.hello
  always                    401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of a device               200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401 | 200  200

door.attendees
  always                    401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of a device               200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401 | 200  200

door.scans
  always                    401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of a device               200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401 | 200  200

door.sealed
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

door.offers
  always                    401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of a device               403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of a device that sells    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401 | 200  200

door.sell
  always                    401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of a device               403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

door.take_payment
  always                    401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of a device               403  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

door.sales
  always                    401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of a device               200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401 | 200  200

clashes.list
  of the editor’s event     401  403  200  200  403  403  200  200  | 200  403  200  200  200  | 403  403  403  403  403  | 403  | 200  200  401 | 200  403
  of the author’s event     401  403  200  200  403  200  200  200  | 200  403  200  200  200  | 200  403  200  200  200  | 200  | 200  401  401 | 200  403

clashes.update
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  403  404  403  404  | 403  403  404  403  404  | 404  | 401  401  401 | 404  403

door_stats.read
  of the editor’s event     401  403  200  200  403  403  200  200  | 200  403  200  200  200  | 403  403  403  403  403  | 403  | 200  200  401 | 200  403
  of the author’s event     401  403  200  200  403  200  200  200  | 200  403  200  200  200  | 200  403  200  200  200  | 200  | 200  401  401 | 200  403

signing_keys.create
  any                       401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

check_in_keys.list
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

check_in_keys.create
  any                       401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

check_in_keys.delete
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

tax_rates.list
  always                    401  403  403  403  200  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

tax_rates.create
  any                       401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

tax_rates.update
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

tax_rates.delete
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

fees.list
  always                    401  403  403  403  200  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

fees.create
  any                       401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

fees.update
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

fees.delete
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

promotions.list
  always                    401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

promotions.create
  any                       401  403  403  403  403  403  201  201  | 403  403  201  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403

promotions.update
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

promotions.delete
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403

events.duplicate
  published of the author   401  403  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401 | 201  403
  published of contributor  401  403  403  403  201  403  201  201  | 403  201  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403
  missing                   401  403  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

events.stock
  any                       401  403  403  200  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  missing                   401  403  403  404  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  404
  of the author’s event     401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200

sold_places.read
  of the editor’s event     401  403  200  200  403  none 200  200  | 200  403  200  200  200  | none 403  none none none | none | 200  200  none | 200  403
  of the author’s event     401  403  200  200  403  200  200  200  | 200  403  200  200  200  | 200  403  200  200  200  | 200  | 200  none none | 200  403

holds.release
  any                       401  403  403  403  403  403  200  200  | 403  403  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  404  404  | 403  403  404  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 404  403
  of the author’s event     401  403  403  403  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  403

reports.sales
  always                    401  403  403  200  200  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 401  401  401 | 200  200

reports.attendance
  always                    401  403  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

reports.money
  always                    401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200

payments.export
  always                    401  403  403  200  403  200  200  200  | 403  403  200  403  200  | 403  403  200  403  200  | 200  | 401  401  401 | 200  200

reports.overview
  always                    401  403  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

system.read
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

events.refunds
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200

events.refund
  not cancelled             401  403  403  403  403  403  403  409  | 403  403  403  403  409  | 403  403  403  403  403  | 403  | 401  401  401 | 409  409

jobs.list
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

jobs.count
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

jobs.retry_dead
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

jobs.retry
  dead                      401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

jobs.remove
  dead                      401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

imports.list
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

imports.create
  always                    401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

imports.read
  finished                  401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

imports.upload
  expected                  401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

imports.columns
  mapping                   401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

imports.start
  planned                   401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

imports.cancel
  planned                   401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

imports.undo
  finished                  401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

import_plans.list
  planned                   401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

import_findings.list
  finished                  401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

subscriptions.list
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

subscriptions.create
  always                    401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

subscriptions.update
  present                   401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

subscriptions.delete
  present                   401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

examples.create
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

site.read
  always                    200  200  200  200  200  200  200  full | 200  200  200  200  full | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

site.update
  any                       401  403  403  403  403  403  403  full | 403  403  403  403  full | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

session.create
  any                       201  201  201  201  201  201  201  201  | 201  201  201  201  201  | 201  201  201  201  201  | 201  | 201  201  201 | 201  201

session.create_by_link
  any                       201  201  201  201  201  201  201  201  | 201  201  201  201  201  | 201  201  201  201  201  | 201  | 201  201  201 | 201  201

session.mail_link
  any                       202  202  202  202  202  202  202  202  | 202  202  202  202  202  | 202  202  202  202  202  | 202  | 202  202  202 | 202  202

session.remove
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

sessions.list
  of the caller             401  200  200  200  200  200  200  200  | 403  403  403  403  200  | 403  403  403  403  200  | 200  | 401  401  401 | 200  403
  of all accounts           401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  of the editor             401  403  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

sessions.remove
  of the author             401  404  404  404  404  200  404  200  | 404  404  404  404  200  | 403  403  403  403  200  | 200  | 401  401  401 | 404  404

me.read
  always                    401  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401 | 200  200

me.confirm
  without a session         401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

second_factor.create
  without a session         401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

second_factor.confirm
  without a session         401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

second_factor.remove
  without a session         401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

second_factor.recovery_codes
  without a session         401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

authors.list
  always                    401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403

users.list
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.create
  any                       401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.read
  of the author             401  403  403  403  403  200  403  200  | 403  403  403  403  200  | 200  200  200  200  200  | 200  | 401  401  401 | 403  403
  of the editor             401  403  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.update
  e-mail of the author      401  403  403  403  403  200  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  role of the author        401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  e-mail of the editor      401  403  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.remove
  any                       401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.remove_second_factor
  of another                401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.sign_in_link
  of the author             401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.sign_in_mail
  of the author             401  403  403  403  403  403  403  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.sign_in_links
  of the author             401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

users.revoke_sign_in_link
  of the author             401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

application_passwords.list
  of the author             401  403  403  403  403  200  403  200  | 403  403  403  403  200  | 403  403  403  403  200  | 200  | 401  401  401 | 403  403
  of the editor             401  403  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

application_passwords.create
  of the author             401  403  403  403  403  201  403  201  | 403  403  403  403  201  | 403  403  403  403  201  | 403  | 401  401  401 | 403  403
  of the editor             401  403  403  403  403  403  201  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

application_passwords.remove
  of the author             401  403  403  403  403  200  403  200  | 403  403  403  403  200  | 403  403  403  403  200  | 200  | 401  401  401 | 403  403
  of the editor             401  403  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

tokens.list
  of all accounts           401  own  own  own  own  own  own  all  | 403  403  403  403  all  | 403  403  403  403  own  | own  | 401  401  401 | own  403
  of the editor             401  403  403  403  403  403  200  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

tokens.create
  of the caller             401  201  201  201  201  201  201  201  | 403  403  403  403  201  | 403  403  403  403  201  | 403  | 401  401  401 | 201  403
  of the editor             401  403  403  403  403  403  201  201  | 403  403  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

tokens.remove
  of the author             401  404  404  404  404  200  404  200  | 404  404  404  404  200  | 403  403  403  403  200  | 200  | 401  401  401 | 404  404
  of the editor             401  404  404  404  404  404  200  200  | 404  404  404  404  200  | 404  404  404  404  404  | 404  | 401  401  401 | 404  404

audit.list
  always                    401  403  403  403  403  403  403  200  | 403  403  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  event of the author       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

audit.read
  event of the author       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

audit.restore
  event of the author       401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  403  403  404  | 403  403  403  403  404  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403

wp.index
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

wp_events.list
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       400  400  400  200  none 200  200  200  | 200  200  200  400  200  | 200  200  200  400  200  | 200  | 400  400  400 | 200  200
  with a password           mask mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask | 200  mask
  the author’s with one     mask mask mask mask mask 200  200  200  | mask 200  mask mask 200  | mask 200  mask mask 200  | 200  | mask mask mask | 200  mask
  hidden from listings      none none none none none none 200  200  | none 200  none none 200  | none none none none none | none | 200  none none | 200  none
  found by what is masked   none none none none none none 200  200  | none 200  none none 200  | none none none none none | none | none none none | 200  none
  as it is stored           401  403  403  403  200  200  raw  raw  | 403  raw  403  403  raw  | 403  200  403  403  200  | 200  | 401  401  401 | raw  403

wp_events.create
  to be published           401  403  403  403  pend publ publ publ | 403  publ 403  403  publ | 403  publ 403  403  publ | publ | 401  401  401 | publ 403
  of another account        400  400  400  400  403  403  201  201  | 400  201  400  400  201  | 400  403  400  400  403  | 403  | 400  400  400 | 201  400

wp_events.read
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       401  403  403  200  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 401  401  401 | 200  200
  draft of the contributor  401  403  403  200  200  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  private of the author     401  403  403  200  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 401  401  401 | 200  200
  with a password           mask mask mask mask mask mask 200  200  | mask 200  mask mask 200  | mask mask mask mask mask | mask | mask mask mask | 200  mask
  the author’s with one     mask mask mask mask mask 200  200  200  | mask 200  mask mask 200  | mask 200  mask mask 200  | 200  | mask mask mask | 200  mask
  in the trash              401  403  403  403  403  403  403  403  | 403  403  403  403  403  | 403  403  403  403  403  | 403  | 401  401  401 | 403  403
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404
  as it is stored           401  403  403  403  403  403  raw  raw  | 403  raw  403  403  raw  | 403  403  403  403  403  | 403  | 401  401  401 | raw  403

wp_events.update
  published of the author   401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  published of contributor  401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  draft of the contributor  401  403  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  in the trash              401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

wp_venues.list
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       400  400  400  200  none 200  200  200  | 200  200  200  400  200  | 200  200  200  400  200  | 200  | 400  400  400 | 200  200

wp_venues.create
  to be published           401  403  403  403  pend publ publ publ | 403  publ 403  403  publ | 403  publ 403  403  publ | publ | 401  401  401 | publ 403

wp_venues.read
  published                 200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  draft of the author       401  403  403  200  403  200  200  200  | 200  200  200  403  200  | 200  200  200  403  200  | 200  | 401  401  401 | 200  200
  draft of the editor       401  403  403  200  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  in the trash              401  403  403  200  403  403  200  200  | 200  200  200  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  200
  missing                   404  404  404  404  404  404  404  404  | 404  404  404  404  404  | 404  404  404  404  404  | 404  | 404  404  404 | 404  404

wp_venues.update
  published of the author   401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  draft of the contributor  401  403  403  403  200  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  published of the editor   401  403  403  403  403  403  200  200  | 403  200  403  403  200  | 403  403  403  403  403  | 403  | 401  401  401 | 200  403
  missing                   401  403  403  403  404  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

wp_categories.list
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

wp_categories.create
  new                       401  403  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401 | 201  403

wp_categories.read
  any                       200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

wp_tags.list
  always                    200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

wp_tags.create
  new                       401  403  403  403  403  403  201  201  | 403  201  403  403  201  | 403  403  403  403  403  | 403  | 401  401  401 | 201  403

wp_tags.read
  any                       200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200

wp_media.upload
  any                       401  403  403  403  403  201  201  201  | 403  201  403  403  201  | 403  201  403  403  201  | 201  | 401  401  401 | 201  403

wp_media.list
  always                    401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403

wp_media.read
  of no record              401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  of a published event      200  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 200  200  200 | 200  200
  of a masked event         401  403  403  403  403  200  200  200  | 403  200  403  403  200  | 403  200  403  403  200  | 200  | 401  401  401 | 200  403
  missing                   401  403  403  403  403  404  404  404  | 403  404  403  403  404  | 403  404  403  403  404  | 404  | 401  401  401 | 404  403

wp_users.me
  always                    401  200  200  200  200  200  200  200  | 200  200  200  200  200  | 200  200  200  200  200  | 200  | 401  401  401 | 200  200
`;

export const COLUMNS = [
  ...['nobody', 'subscriber', 'door', 'box_office', 'contributor', 'author', 'editor', 'administrator'],
  ...['A/read', 'A/events', 'A/tickets', 'A/checkin', 'A/admin'],
  ...['a/read', 'a/events', 'a/tickets', 'a/checkin', 'a/admin'],
  ...['app', 'site', 'gate', 'other'],
  ...['treasurer', 'A/money'],
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
