// PocketBase as its documentation describes it, with durable commits and a command that fills it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/spf13/cobra"
)

// The settings of core.DefaultDBConnect, except synchronous, which core.DefaultDBConnect sets to NORMAL.
const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)" +
	"&_pragma=journal_size_limit(200000000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)" +
	"&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)&_defensive=1"

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{
		DBConnect: func(path string) (*dbx.DB, error) { return dbx.Open("sqlite", path+pragmas) },
	})
	app.RootCmd.AddCommand(&cobra.Command{
		Use:   "fill",
		Short: "Reads pets as JSON from the input, and prints a token that may read and add pets",
		RunE:  func(*cobra.Command, []string) error { return fill(app) },
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

func fill(app core.App) error {
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	settings := app.Settings()
	settings.RateLimits.Enabled = true
	settings.RateLimits.Rules = []core.RateLimitRule{
		{Label: "/api/", MaxRequests: 1_000_000_000, Duration: 24 * 60 * 60},
	}
	// Animal Store and the frameworks do not log requests either.
	settings.Logs.MaxDays = 0
	if err := app.Save(settings); err != nil {
		return err
	}
	if err := addPets(app); err != nil {
		return err
	}
	// Without a superuser, every start prepares the page that creates the first one.
	if _, err := addAccount(app, core.CollectionNameSuperusers); err != nil {
		return err
	}
	user, err := addAccount(app, "users")
	if err != nil {
		return err
	}
	token, err := user.NewStaticAuthToken(24 * time.Hour)
	fmt.Print(token)
	return err
}

func addAccount(app core.App, collection string) (*core.Record, error) {
	accounts, err := app.FindCollectionByNameOrId(collection)
	if err != nil {
		return nil, err
	}
	account := core.NewRecord(accounts)
	account.SetEmail("load@example.com")
	account.SetRandomPassword()
	return account, app.Save(account)
}

func addPets(app core.App) error {
	pets := core.NewBaseCollection("pets")
	needsToken := `@request.auth.id != ""`
	pets.ListRule, pets.ViewRule, pets.CreateRule = &needsToken, &needsToken, &needsToken
	pets.Fields.Add(
		&core.TextField{Name: "name", Required: true, Max: 255},
		&core.NumberField{Name: "categoryId", Required: true, OnlyInt: true},
		&core.SelectField{Name: "status", Values: []string{"available", "pending", "sold"}},
	)
	if err := app.Save(pets); err != nil {
		return err
	}
	return app.RunInTransaction(func(transaction core.App) error {
		for input := json.NewDecoder(os.Stdin); input.More(); {
			pet := core.NewRecord(pets)
			if err := input.Decode(pet); err != nil {
				return err
			}
			if err := transaction.Save(pet); err != nil {
				return err
			}
		}
		return nil
	})
}
