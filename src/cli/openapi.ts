import { documentToJson, documentToYaml, openApiDocument } from '../contract/openapi.ts';
import type { Cli, CliCommand } from './cli.ts';

export function define(command: CliCommand, cli: Cli): void {
  command
    .description('print the OpenAPI document')
    .option('--yaml', 'print YAML instead of JSON')
    .action(async ({ yaml = false }: { yaml?: boolean }) => {
      const document = openApiDocument(cli.config.environment, cli.config.deployments);
      await cli.write(yaml ? documentToYaml(document) : documentToJson(document));
    });
}
