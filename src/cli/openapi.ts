import { documentToJson, documentToYaml, openApiDocument } from '#contract/openapi.ts';
import type { Cli, CliCommand } from './cli.ts';

export function define(command: CliCommand, cli: Cli): void {
  command
    .description('print the OpenAPI document')
    .option('--yaml', 'print YAML instead of JSON')
    .action(async ({ yaml }: { yaml?: boolean }) => {
      const { environment, PUBLIC_URL, STAGING_URL } = cli.config;
      const document = openApiDocument(environment, PUBLIC_URL, STAGING_URL);
      await cli.write(yaml ? documentToYaml(document) : documentToJson(document));
    });
}
