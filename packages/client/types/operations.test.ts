import { describe, expect, it } from 'vitest';
import { clientSchemas, type OpenapiDocument } from './operations.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const language = { name: 'i18n_language', in: 'query', schema: { type: 'string' } };
const eventBody = { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } };
const picture = { 'image/png': { schema: { type: 'string', format: 'binary' } } };
const answers = { 200: { content: { ...picture, ...eventBody } }, 404: { content: picture } };

const document: OpenapiDocument = {
  components: {
    parameters: { Language: language },
    schemas: {
      Event: {
        type: 'object',
        properties: { venue: { $ref: '#/components/schemas/Venue' }, i18n_language: { type: 'string' } },
      },
      Venue: { type: 'object' },
      Unused: { type: 'object' },
    },
  },
  paths: {
    '/calendar/events/v1/events/{id}': {
      parameters: [id, { $ref: '#/components/parameters/Language' }],
      get: { summary: 'Read an event', responses: answers },
      put: { responses: answers },
      patch: { requestBody: { content: eventBody }, responses: { ...answers, 201: { content: eventBody } } },
    },
    '/calendar/tickets/v1/qr': { get: { responses: answers } },
    '/calendar/admin/v1/me': {
      get: { responses: { 200: { content: picture }, 202: { content: eventBody } } },
      post: { parameters: [{ name: 'tags', in: 'query', schema: { items: { type: 'string' } } }], responses: {} },
    },
  },
};

const { Operations, ...others } = clientSchemas(document);
const operation = (name: string) => Operations?.properties?.[name]?.properties;
const address = {
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
  additionalProperties: false,
};

describe('the operations of the client', () => {
  it('have no equivalents of others, and none that shows a key', () => {
    const names = [
      'GET /events/v1/events/{id}',
      'PATCH /events/v1/events/{id}',
      'GET /admin/v1/me',
      'POST /admin/v1/me',
    ];
    expect(Operations?.required).toEqual(names);
  });

  it('send what path, query and body have, without the language', () => {
    const event = eventBody['application/json'].schema;
    expect(operation('GET /events/v1/events/{id}')?.input).toEqual(address);
    expect(operation('PATCH /events/v1/events/{id}')?.input).toEqual({ allOf: [address, event] });
    expect(operation('GET /admin/v1/me')?.input).toEqual({ type: 'object', additionalProperties: false });
  });

  it('take numbers in lists of names', () => {
    const { tags } = operation('POST /admin/v1/me')?.input?.properties ?? {};
    expect(tags?.items).toEqual({ type: ['number', 'string'] });
  });

  it('answer JSON if there is any, and each successful form once', () => {
    expect(operation('PATCH /events/v1/events/{id}')?.answer).toEqual(eventBody['application/json'].schema);
    const { answer } = operation('GET /admin/v1/me') ?? {};
    expect(answer).toEqual({ anyOf: [picture['image/png'].schema, eventBody['application/json'].schema] });
    expect(operation('POST /admin/v1/me')?.answer).toEqual({});
  });

  it('are followed by the schemas that they refer to, without the language', () => {
    expect(Object.keys(others)).toEqual(['Event', 'Venue']);
    expect(Object.keys(others.Event?.properties ?? {})).toEqual(['venue']);
  });

  it('are refused if a schema is missing', () => {
    const { Event } = document.components.schemas;
    const components = { ...document.components, schemas: { Event: Event ?? {} } };
    expect(() => clientSchemas({ ...document, components })).toThrow('Venue');
  });
});
